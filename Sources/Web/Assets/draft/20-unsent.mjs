// A form that cannot be sent without a network says so, and keeps what was typed on the page.
const unsent = document.querySelector('[data-unsent]');

unsent?.querySelector('form')?.addEventListener('submit', (event) => {
  if (navigator.onLine) return;
  event.preventDefault();
  // Nothing was sent, so the button stays enabled.
  event.stopPropagation();
  unsent.querySelector('.unsent-note').textContent = unsent.dataset.unsent;
});
