// Adds new posts to the page as they happen. The page is complete without this script.
const MAX_SHOWN = 60
const list = document.querySelector('[data-live]')

/** @returns {Element | null} */
const shown = id => list.querySelector(`[data-status="${CSS.escape(id)}"]`)

const parse = text => {
  const template = document.createElement('template')
  template.innerHTML = text
  return template.content.firstElementChild
}

if (list) {
  const { after } = list.dataset
  const query = after === '' ? '' : `&after=${after}`
  const source = new EventSource(list.dataset.live + query)
  source.addEventListener('created', ({ data, lastEventId }) => {
    if (shown(lastEventId)) return
    list.prepend(parse(data))
    while (list.children.length > MAX_SHOWN) list.lastElementChild.remove()
  })
  source.addEventListener('updated', ({ data, lastEventId }) => shown(lastEventId)?.replaceWith(parse(data)))
  source.addEventListener('deleted', ({ data }) => shown(data)?.remove())
}
