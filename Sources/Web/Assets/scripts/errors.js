// Focuses the error summary where `autofocus` didn't.
const summary = document.getElementById('error-summary');
if (summary && document.activeElement !== summary) summary.focus();
