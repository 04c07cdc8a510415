// Adds to each list of entries that can be chosen: a checkbox for all of them, choosing a range
// with the shift key, and buttons that are disabled while nothing is chosen.
for (const form of document.querySelectorAll('form.batch')) {
  const all = form.querySelector('[data-batch="all"]')
  const boxes = [...form.querySelectorAll('.batch-item > input[type="checkbox"]')]
  const buttons = form.querySelectorAll('.batch-tools button')
  let last

  const update = () => {
    const chosen = boxes.filter(box => box.checked).length
    all.checked = chosen === boxes.length
    all.indeterminate = chosen > 0 && chosen < boxes.length
    for (const button of buttons) button.disabled = chosen === 0
  }

  all.closest('label').hidden = false
  all.addEventListener('change', () => {
    for (const box of boxes) box.checked = all.checked
    update()
  })
  for (const box of boxes) {
    box.addEventListener('click', event => {
      if (event.shiftKey && last) {
        const [from, to] = [boxes.indexOf(last), boxes.indexOf(box)].sort((a, b) => a - b)
        for (const between of boxes.slice(from, to + 1)) between.checked = box.checked
      }
      last = box
      update()
    })
  }
  update()
}
