// A message to the operator stays on this device until it was sent: a closed page or a lost
// connection loses nothing. Signing out removes it.
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
    // Nothing was sent, so the button stays enabled.
    event.stopPropagation();
    status.textContent = part.dataset.offline;
  });
  addEventListener('online', () => {
    if (area.value) status.textContent = part.dataset.online;
  });
}
