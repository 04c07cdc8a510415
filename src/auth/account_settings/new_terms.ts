import type { Id } from '../../core/id.ts'
import { renderMarkdown } from '../../core/text/index.ts'
import type { Viewer } from '../../core/viewer.ts'
import { c, query, type Runner } from '../../platform/database/index.ts'
import type { Context, Response } from '../../platform/http/index.ts'
import { day, form, hidden, Html, html, linkButton, pageResponse, phrase, submit } from '../../platform/ui/index.ts'
import { addressOf, type WebSession } from '../sessions/index.ts'

const findNew = query(
  'auth/account_settings/new_terms',
  { user: c.id },
  { date: c.text, effective: c.boolean, changelog: c.text },
)
const see = query('auth/account_settings/see_terms', { user: c.id }, {})

/** The path to which the form on the page of new terms is sent. */
export const NEW_TERMS = '/settings/terms_of_service'

/** Records that a user was shown the terms of service. */
export const recordTermsSeen = async (runner: Runner, user: Id): Promise<void> => void (await runner.run(see, { user }))

/**
 * The page about new terms of service, shown in place of the requested page until the user has
 * opened the terms or continues; undefined when there are none.
 */
export async function newTermsPage(
  context: Context,
  webSession: WebSession,
  viewer: Viewer,
): Promise<Response | undefined> {
  const terms = await context.database.one(findNew, { user: viewer.userId })
  if (!terms) return undefined
  const { translator } = webSession
  const { t } = translator
  const { date, effective, changelog } = terms
  const title = t('new_terms.title', { domain: context.config.localDomain })
  const way = {
    exports: html`<a href="/settings/exports">${t('new_terms.exports')}</a>`,
    deletion: html`<a href="/settings/delete">${t('new_terms.deletion')}</a>`,
  }
  return pageResponse(context, webSession, {
    title,
    body: html`<h1>${title}</h1>
      <p>${phrase(t(effective ? 'new_terms.since' : 'new_terms.from'), { date: day(date, translator) })}</p>
      <h2>${t('new_terms.changes')}</h2>
      <div class="rich">${new Html(renderMarkdown(changelog))}</div>
      ${form({ action: NEW_TERMS, csrfToken: webSession.csrfToken() }, [
        hidden('return_to', addressOf(context.request)),
        html`<div class="buttons">
          ${submit(t('new_terms.accept'))} ${linkButton(`/terms-of-service/${date}`, t('new_terms.read'))}
        </div>`,
      ])}
      <p class="quiet">${phrase(t('new_terms.refuse'), way)}</p>`,
  })
}
