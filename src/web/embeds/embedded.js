// Tells the page around how high this one is, whenever that changes.
new ResizeObserver(() => {
  window.parent.postMessage(
    { type: 'setHeight', height: Math.ceil(document.documentElement.getBoundingClientRect().height) },
    '*',
  )
}).observe(document.documentElement)
