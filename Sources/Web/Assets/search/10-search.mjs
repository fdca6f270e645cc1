// The medicine search during typing: the same results as the form, as a list with keyboard control.
// Without this script the form is sent.
const form = document.querySelector('form[data-suggest]');
const input = form?.querySelector('input[name="q"]');
const waitMilliseconds = 300;

if (input) {
  const list = document.createElement('ul');
  list.id = 'suggestions';
  list.className = 'suggestions';
  list.hidden = true;
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', document.querySelector('label[for="' + input.id + '"]').textContent);
  const status = document.createElement('p');
  status.className = 'visually-hidden';
  status.setAttribute('role', 'status');
  input.closest('.field').append(list, status);
  for (const [name, value] of [
    ['role', 'combobox'], ['aria-autocomplete', 'list'], ['aria-expanded', 'false'],
    ['aria-controls', list.id], ['autocomplete', 'off'],
  ]) input.setAttribute(name, value);

  let chosen = -1;
  let asked = 0;
  let soon;
  const choose = (place) => {
    const options = [...list.children];
    chosen = options.length ? (place + options.length) % options.length : -1;
    options.forEach((option, index) => option.setAttribute('aria-selected', String(index === chosen)));
    if (chosen < 0) input.removeAttribute('aria-activedescendant');
    else {
      input.setAttribute('aria-activedescendant', options[chosen].id);
      options[chosen].scrollIntoView({ block: 'nearest' });
    }
  };
  const close = () => {
    asked += 1;
    list.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    choose(-1);
    input.removeAttribute('aria-activedescendant');
  };
  const show = (medicines) => {
    list.replaceChildren(...medicines.map(({ name, found, address }, index) => {
      const option = document.createElement('li');
      option.id = 'suggestion-' + index;
      option.dataset.address = address;
      option.setAttribute('role', 'option');
      option.setAttribute('aria-selected', 'false');
      option.append(name);
      if (found) {
        const small = document.createElement('span');
        small.className = 'muted small';
        small.textContent = ' ' + found;
        option.append(small);
      }
      return option;
    }));
    chosen = -1;
    input.removeAttribute('aria-activedescendant');
    list.hidden = !medicines.length;
    input.setAttribute('aria-expanded', String(!list.hidden));
    status.textContent = medicines.length ? medicines.length + ' · ' + form.dataset.found : '';
  };
  const ask = async () => {
    asked += 1;
    const mine = asked;
    const words = input.value.trim();
    if (!words) {
      close();
      return;
    }
    const answer = await fetch(form.dataset.suggest + '?q=' + encodeURIComponent(words));
    if (!answer.ok || mine < asked) return;
    const { medicines } = await answer.json();
    if (mine === asked) show(medicines);
  };
  input.addEventListener('input', () => {
    clearTimeout(soon);
    soon = setTimeout(() => ask().catch(close), waitMilliseconds);
  });
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !list.hidden) {
      event.preventDefault();
      close();
    } else if (!list.hidden && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault();
      choose(event.key === 'ArrowDown' ? chosen + 1 : Math.max(chosen, 0) - 1);
    } else if (event.key === 'Enter' && !list.hidden && chosen >= 0) {
      event.preventDefault();
      location.assign(list.children[chosen].dataset.address);
    }
  });
  list.addEventListener('pointerdown', (event) => event.preventDefault());
  list.addEventListener('click', (event) => {
    const option = event.target.closest('[role="option"]');
    if (option) location.assign(option.dataset.address);
  });
  input.addEventListener('blur', close);
}
