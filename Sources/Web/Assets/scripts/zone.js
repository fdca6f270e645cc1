// On the first visit, selects the device's time zone if it is listed, instead of the server's.
if (document.querySelector('[data-local-zone]')) {
  const list = document.querySelector('select[name=zone]');
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (list && [...list.options].some((option) => option.value === here)) list.value = here;
}
