// What is written to the operator stays on this device until it went out: a page that is closed, or a device without
// a connection, loses nothing. Signing out removes it.
const part = document.querySelector('#feedback');
const area = part?.querySelector('textarea');
const status = part?.querySelector('#draft-status');
const key = `feedback-draft ${document.documentElement.dataset.account}`;

if (area) {
  if (part.dataset.sent === 'yes') localStorage.removeItem(key);
  if (!area.value) area.value = localStorage.getItem(key) ?? '';
  area.addEventListener('input', () => {
    if (area.value) localStorage.setItem(key, area.value);
    else localStorage.removeItem(key);
  });
  area.form.addEventListener('submit', (event) => {
    if (navigator.onLine) return;
    event.preventDefault();
    // The press is not on its way: the button stays ready.
    event.stopPropagation();
    status.textContent = part.dataset.offline;
  });
  addEventListener('online', () => {
    if (area.value) status.textContent = part.dataset.online;
  });
}
