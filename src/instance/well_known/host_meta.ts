import { Response, json, operation, type Context } from '../../platform/http/index.ts'

const HEADERS = { 'Cache-Control': 'public, max-age=259200' }

/** RFC 6415: where WebFinger resources are looked up. */
function respond({ config }: Context, asJson: boolean): Response {
  const template = `${config.publicUrl}/.well-known/webfinger?resource={uri}`
  if (asJson) return json({ links: [{ rel: 'lrdd', template }] }, 200, HEADERS)
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<XRD xmlns="http://docs.oasis-open.org/ns/xri/xrd-1.0">
  <Link rel="lrdd" template="${template}"/>
</XRD>
`
  return new Response(200, 'application/xrd+xml; charset=utf-8', text, HEADERS)
}

const common = { method: 'GET', auth: 'public', scopes: [], params: {}, returns: 'XRD', cache: 'handler' } as const

const hostMeta = operation({
  ...common,
  path: '/.well-known/host-meta',
  summary: 'Show where addresses of this server are looked up',
  handle(_, context) {
    const accepted = context.request.header('accept')
    const found = respond(context, /\bapplication\/(?:json|jrd\+json)\b/.test(accepted))
    return found.with({ Vary: 'Accept' })
  },
})

const hostMetaJson = operation({
  ...common,
  path: '/.well-known/host-meta.json',
  summary: 'Show where addresses of this server are looked up, as JSON',
  handle: (_, context) => respond(context, true),
})

export const hostMetas = [hostMeta, hostMetaJson]
