import { JSON_TYPE } from '../../platform/http/response.ts'
import { operation, pageLanguage, param, Response, type AnyOperation } from '../../platform/http/index.ts'
import { translatorFor } from '../../platform/i18n/index.ts'
import { perServer } from '../../platform/services.ts'
import { asset, pageResponse } from '../../platform/ui/index.ts'
import { makeDocument, type OpenApi } from './document.ts'
import { apiPage } from './page.ts'

/**
 * The description of the API for programs and for people.
 * @param all returns all operations of the server, these included; called at the first request
 */
export function describeApi(all: () => readonly AnyOperation[]): readonly AnyOperation[] {
  const documentOf = perServer(({ config }) => {
    let document: OpenApi | undefined
    return () => (document ??= makeDocument(all(), config.publicUrl))
  })
  const textOf = perServer(services => {
    let text: Buffer | undefined
    return () => (text ??= Buffer.from(JSON.stringify(documentOf(services)())))
  })
  const shared = { method: 'GET', auth: 'public', scopes: [], allowWhenClosed: 'always', cacheTags: () => [] } as const
  return [
    operation({
      ...shared,
      path: '/api/openapi.json',
      summary: 'Show this description of the API, as OpenAPI 3.1',
      params: {},
      returns: 'hash',
      cache: 'instance',
      handle: (_, context) => new Response(200, JSON_TYPE, textOf(context)()),
    }),
    operation({
      ...shared,
      path: '/api',
      summary: 'Show the pages that describe the API',
      params: {
        group: param.string({ optional: true, description: 'the part of the API, such as `statuses`' }),
        entity: param.string({ optional: true, description: 'the name of an entity' }),
      },
      returns: 'text/html',
      page: true,
      cache: 'handler',
      varyByLanguage: true,
      handle(wanted, context) {
        const translator = translatorFor(pageLanguage(context.request, context.config))
        const headers = { 'Cache-Control': 'max-age=300, public', Vary: 'Accept-Language' }
        return pageResponse(context, undefined, {
          ...apiPage(documentOf(context)(), wanted, translator),
          translator,
          headers,
        })
      },
    }),
    asset('/assets/api.css', new URL('api.css', import.meta.url), 'text/css', 'Style sheet of the pages about the API'),
  ]
}
