// A button that shows the password.
for (const input of document.querySelectorAll('input[type=password][data-show]')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button button-secondary';
  button.setAttribute('aria-controls', input.id);
  const update = (isShown) => {
    input.type = isShown ? 'text' : 'password';
    button.textContent = isShown ? input.dataset.hide : input.dataset.show;
  };
  update(false);
  button.addEventListener('click', () => update(input.type === 'password'));
  // The browser must not save a shown password as ordinary text.
  input.form?.addEventListener('submit', () => update(false));
  input.after(button);
}
