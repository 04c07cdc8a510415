import { Failure } from '../../core/errors.ts'
import { redirect, type Answer, type Context, type Request } from '../../platform/http/index.ts'
import type { Viewer } from '../../core/viewer.ts'
import { pageAnswer, type Page } from '../../platform/ui/index.ts'
import type { Services } from '../../platform/services.ts'
import { openVisit, placeOf, type Visit } from '../../auth/sessions/index.ts'
import type { Speaker } from '../../platform/i18n/index.ts'

/** Who looks at a page that anybody may look at. */
export interface Visitor {
  /** On whose behalf it is read; null for anybody, and for people who cannot use the server for now. */
  readonly viewer: Viewer | null
  readonly visit: Visit
  readonly speaker: Speaker
}

/** For how long anybody's copy of a page may be kept, by what it is about (api/endpoints/web_pages.json). */
const KEPT = {
  profile: 'max-age=15, public, stale-while-revalidate=30, stale-if-error=3600',
  status: 'max-age=10, public',
  tag: 'max-age=15, public',
  site: 'max-age=15, public, stale-while-revalidate=30, stale-if-error=86400',
} as const

type About = keyof typeof KEPT

/** Programs that ask for what people post in another form, such as ActivityPub's, would take a page for it. */
const takesPages = (request: Request): boolean => /^$|\btext\/(?:html|\*)|\*\/\*/.test(request.header('accept'))

/**
 * Shows a page to whoever comes. While the server federates with few, what people post is for those who are signed in; others are led to
 * sign in first.
 * @param make the page, for the visitor
 * @throws Failure notAcceptable
 */
export async function showPublicly(
  context: Context,
  about: About,
  make: (visitor: Visitor) => Promise<Page | Answer>,
): Promise<Answer> {
  if (about !== 'site' && !takesPages(context.request)) throw new Failure('notAcceptable')
  const visit = await openVisit(context)
  const viewer = visit.viewer && placeOf(visit.viewer) === undefined ? visit.viewer : null
  if (about !== 'site' && !visit.viewer && context.settings.get('limited_federation_mode')) {
    visit.remember(context.request.path)
    return visit.answer(redirect('/auth/sign_in'))
  }
  const made = await make({ viewer, visit, speaker: visit.speaker })
  return 'body' in made && 'title' in made ? answerPage(context, visit, about, made) : made
}

/** Anybody's copy has no cookie, and is the same for all who read the same language. */
function answerPage(services: Services, visit: Visit, about: About, made: Page): Answer {
  const page = { ...made, shown: made.shown?.filter(origin => origin !== services.config.publicUrl) ?? [] }
  const headers = { ...page.headers, Vary: 'Accept, Accept-Language, Cookie' }
  if (visit.viewer) return pageAnswer(services, visit, { ...page, headers })
  const { speaker } = visit
  return pageAnswer(services, undefined, { ...page, speaker, headers: { 'Cache-Control': KEPT[about], ...headers } })
}
