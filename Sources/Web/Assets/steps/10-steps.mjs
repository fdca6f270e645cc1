// Adding a medicine: buttons that change an amount, and fields that one answer needs. Without this
// script a number is typed, and all fields are shown.
for (const stepper of document.querySelectorAll('[data-stepper]')) {
  const input = stepper.querySelector('input');
  const step = Number(stepper.dataset.stepper);
  const button = (sign, label, change) => {
    const made = document.createElement('button');
    made.type = 'button';
    made.className = 'button button-secondary';
    made.textContent = sign;
    made.setAttribute('aria-label', label);
    made.addEventListener('click', () => {
      const before = Number(input.value.trim().replace(',', '.'));
      if (Number.isNaN(before)) return;
      const after = before + change;
      if (after <= 0) return;
      // Tenths of a step must not become 0.30000000000000004.
      input.value = String(Math.round(after * 1000) / 1000).replace('.', stepper.dataset.decimal);
      input.dispatchEvent(new Event('input', { bubbles: true }));
    });
    return made;
  };
  const row = document.createElement('div');
  row.className = 'stepper';
  const control = input.closest('.input-with-unit') ?? input;
  control.before(row);
  const unit = control === input ? null : control.querySelector('span');
  row.append(button('−', stepper.dataset.less, -step), input, button('+', stepper.dataset.add, step));
  if (unit) row.append(unit);
  if (control !== input) control.remove();
}
for (const part of document.querySelectorAll('[data-shown-by]')) {
  const [name, value] = part.dataset.shownBy.split('=');
  const update = () => {
    part.hidden = document.querySelector(`input[name="${name}"]:checked`)?.value !== value
      && !part.querySelector('.has-error');
  };
  document.addEventListener('change', (event) => {
    if (event.target.name === name) update();
  });
  addEventListener('pageshow', update);
  update();
}
