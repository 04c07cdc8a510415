import { ApiError } from '../../core/errors.ts'
import { redirect, type Response, type Context, type Request } from '../../platform/http/index.ts'
import type { Viewer } from '../../core/viewer.ts'
import { html, pageResponse, type Html, type Page } from '../../platform/ui/index.ts'
import type { Services } from '../../platform/services.ts'
import { addressOf, openWebSession, requiredStep, type WebSession } from '../../auth/sessions/index.ts'
import type { Translator } from '../../platform/i18n/index.ts'

/** The visitor of a public page. */
export interface Visitor {
  /**
   * The user whose permissions apply; null for anonymous visitors and for users who cannot use the
   * server now.
   */
  readonly viewer: Viewer | null
  readonly webSession: WebSession
  readonly translator: Translator
}

/** How long the anonymous version of a page may be cached, by subject. */
const CACHE_CONTROL = {
  profile: 'max-age=15, public, stale-while-revalidate=30, stale-if-error=3600',
  status: 'max-age=10, public',
  tag: 'max-age=15, public',
  site: 'max-age=15, public, stale-while-revalidate=30, stale-if-error=86400',
} as const

type About = keyof typeof CACHE_CONTROL

/** Pages at addresses of documents say so where documents must be requested with a signature. */
function varyOf({ settings }: Pick<Services, 'settings'>, about: About): string {
  const isDocument = about === 'profile' || about === 'status'
  const isSigned = isDocument && (settings.get('authorized_fetch') || settings.get('limited_federation_mode'))
  return `Accept, Accept-Language, Cookie${isSigned ? ', Signature' : ''}`
}

/** The header and the element by which other servers find the document of what a page shows. */
export const documentLink = (uri: string): { readonly header: string; readonly element: Html } => ({
  header: `<${uri}>; rel="alternate"; type="application/activity+json"`,
  element: html`<link rel="alternate" type="application/activity+json" href="${uri}" />`,
})

/** Clients that request another media type, such as ActivityPub JSON, must not get HTML. */
const acceptsHtml = (request: Request): boolean => /^$|\btext\/(?:html|\*)|\*\/\*/.test(request.header('accept'))

/**
 * Shows a public page. In limited federation mode posts are for signed-in users only; anonymous
 * visitors are redirected to sign-in.
 * @param make builds the page for the visitor
 * @throws ApiError notAcceptable
 */
export async function showPublicly(
  context: Context,
  about: About,
  make: (visitor: Visitor) => Promise<Page | Response>,
): Promise<Response> {
  if (about !== 'site' && !acceptsHtml(context.request)) throw new ApiError('notAcceptable')
  const webSession = await openWebSession(context)
  const viewer = webSession.viewer && requiredStep(webSession.viewer) === undefined ? webSession.viewer : null
  if (about !== 'site' && !webSession.viewer && context.settings.get('limited_federation_mode')) {
    webSession.remember(addressOf(context.request))
    return webSession.respond(redirect('/auth/sign_in'))
  }
  const content = await make({ viewer, webSession, translator: webSession.translator })
  return 'body' in content && 'title' in content ? respondWithPage(context, webSession, about, content) : content
}

/** The anonymous version sets no cookie, and is the same for all readers of a language. */
function respondWithPage(services: Services, webSession: WebSession, about: About, content: Page): Response {
  const page = {
    ...content,
    fileOrigins: content.fileOrigins?.filter(origin => origin !== services.config.publicUrl) ?? [],
  }
  const headers = { ...page.headers, Vary: varyOf(services, about) }
  if (webSession.viewer) return pageResponse(services, webSession, { ...page, headers })
  const { translator } = webSession
  return pageResponse(services, undefined, {
    ...page,
    translator,
    headers: { 'Cache-Control': CACHE_CONTROL[about], ...headers },
  })
}
