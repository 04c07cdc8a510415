// Replaces the quotations of embedded statuses on a page by frames, and makes frames as high as what
// they show. Only those of the server that this script is from: others have scripts of their own.
;(() => {
  const own = document.currentScript === null ? undefined : new URL(document.currentScript.src).origin
  /** The origins of the frames, by frame. */
  const frames = new Map()

  const parse = address => {
    try {
      return new URL(address)
    } catch {
      return null
    }
  }

  const originOf = address => {
    const url = parse(address)
    return url && /^https?:$/.test(url.protocol) && (own === undefined || url.origin === own) ? url.origin : undefined
  }

  /** Asks a frame for its height now, if it is loaded, and each time that it is. */
  const register = (frame, origin) => {
    // The script may be on the page several times.
    if (frame.dataset.heightId !== undefined) return
    const id = crypto.getRandomValues(new Uint32Array(1))[0]
    frame.dataset.heightId = id
    frames.set(frame, { origin, id })
    const ask = () => frame.contentWindow?.postMessage({ type: 'setHeight', id }, '*')
    frame.addEventListener('load', ask)
    ask()
  }

  const replace = quotation => {
    const address = quotation.dataset.embedUrl
    const origin = address && originOf(address)
    if (!origin) return
    const frame = document.createElement('iframe')
    frame.src = address
    frame.title = quotation.textContent.trim()
    frame.allowFullscreen = true
    frame.sandbox = 'allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox'
    frame.style.cssText = 'display:block;width:100%;max-width:540px;min-width:270px;height:320px;border:0;margin:1em 0'
    quotation.replaceWith(frame)
    register(frame, origin)
  }

  const start = () => {
    document.querySelectorAll('blockquote.mastodon-embed').forEach(replace)
    for (const frame of document.querySelectorAll('iframe.mastodon-embed')) {
      const origin = originOf(frame.src)
      if (origin) register(frame, origin)
    }
  }

  window.addEventListener('message', ({ source, origin, data }) => {
    if (data?.type !== 'setHeight' || typeof data.height !== 'number') return
    for (const [frame, known] of frames) {
      const isFrom = frame.contentWindow === source && origin === known.origin
      if (isFrom && (data.id === undefined || data.id === known.id))
        frame.style.height = `${Math.min(data.height, 4000)}px`
    }
  })

  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', start)
  else start()
})()
