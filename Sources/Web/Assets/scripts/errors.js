// The error summary takes the focus where the browser did not give it by `autofocus`.
const summary = document.getElementById('error-summary');
if (summary && document.activeElement !== summary) summary.focus();
