// Without a stored time zone the form begins with the browser's: its times are converted from UTC.
const zones = document.querySelector('select[data-zone="browser"]')
const own = Intl.DateTimeFormat().resolvedOptions().timeZone
const choice = zones && [...zones.options].find(({ value }) => value === own)
if (choice && zones.value === 'UTC') {
  for (const field of zones.form.querySelectorAll('input[type="datetime-local"]')) {
    if (field.value === '') continue
    const time = new Date(`${field.value}Z`)
    // A form's time has no zone: it is the clock's, written as if it were UTC.
    const clock = new Date(time.getTime() - time.getTimezoneOffset() * 60_000)
    field.value = clock.toISOString().slice(0, 16)
  }
  choice.selected = true
}
