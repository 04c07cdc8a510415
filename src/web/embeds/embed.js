// Replaces the quotations of embedded statuses on a page by frames, as high as what they show.
;(() => {
  const frames = new Map()

  const replace = quotation => {
    const address = quotation.dataset.embedUrl
    if (address === undefined || !/^https?:\/\//.test(address)) return
    const frame = document.createElement('iframe')
    frame.src = address
    frame.title = quotation.textContent.trim()
    frame.allowFullscreen = true
    frame.sandbox = 'allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox'
    frame.style.cssText = 'display:block;width:100%;max-width:540px;min-width:270px;height:320px;border:0;margin:1em 0'
    quotation.replaceWith(frame)
    frames.set(frame, new URL(address).origin)
  }

  const replaceAll = () => document.querySelectorAll('blockquote.mastodon-embed').forEach(replace)

  window.addEventListener('message', ({ source, origin, data }) => {
    if (data?.type !== 'setHeight' || typeof data.height !== 'number') return
    for (const [frame, from] of frames) {
      if (frame.contentWindow === source && origin === from) frame.style.height = `${Math.min(data.height, 4000)}px`
    }
  })

  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', replaceAll)
  else replaceAll()
})()
