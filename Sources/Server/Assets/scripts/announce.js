// Screen readers speak a status only when it changes: the flash message is set once more.
const status = document.querySelector('[data-announce]');
if (status) {
  const words = status.textContent;
  setTimeout(() => { status.textContent = ''; }, 100);
  setTimeout(() => { status.textContent = words; }, 200);
}
