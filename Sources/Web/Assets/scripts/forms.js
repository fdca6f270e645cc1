// Ignores a second press while a form is being sent.
const waitMilliseconds = 8000;
const release = (form) => {
  delete form.dataset.sent;
  for (const button of form.querySelectorAll('[aria-disabled]')) {
    button.removeAttribute('aria-disabled');
  }
};
document.addEventListener('submit', (event) => {
  const form = event.target;
  if (form.dataset.sent) {
    event.preventDefault();
    return;
  }
  form.dataset.sent = 'yes';
  event.submitter?.setAttribute('aria-disabled', 'true');
  setTimeout(release, waitMilliseconds, form);
});
// A page restored from the browser's cache is ready again.
addEventListener('pageshow', (event) => {
  if (event.persisted) document.querySelectorAll('form[data-sent]').forEach(release);
});
