import { settingsPage } from '../account_settings/index.ts'
import type { Response, Context } from '../../platform/http/index.ts'
import type { Viewer } from '../../core/viewer.ts'
import { form, html, submit, textArea, type Content, type Html } from '../../platform/ui/index.ts'
import { timeOf, type WebSession } from '../sessions/index.ts'
import type { TextKey } from '../../platform/i18n/index.ts'
import { listStrikes, meaningOf, type Strike } from './strike.ts'

export const PATH = '/disputes/strikes'
export const MAX_CHARACTERS = 2000

const STATES: Readonly<Record<string, TextKey>> = {
  pending: 'strikes.appeal.pending',
  approved: 'strikes.appeal.approved',
  rejected: 'strikes.appeal.rejected',
}

/** All moderation decisions about the account. */
export async function strikesPage(context: Context, visit: WebSession, viewer: Viewer): Promise<Response> {
  const { t: say } = visit.speaker
  const strikes = await listStrikes(context.database, viewer.id)
  const entries = strikes.map(
    strike =>
      html`<li class="entry">
        <p><a href="${PATH}/${strike.id}">${say(meaningOf(strike))}</a></p>
        <p class="quiet">${timeOf(strike.created_at)} (UTC)</p>
        ${strike.overruled && html`<p class="quiet">${say('strikes.overruled')}</p>`}
      </li>`,
  )
  const body = html`<p>${say(strikes.length === 0 ? 'strikes.none' : 'strikes.intro')}</p>
    <ul class="entries">
      ${entries}
    </ul>`
  return settingsPage(context, visit, viewer, { title: say('strikes.title'), body, place: PATH })
}

/** One strike with its appeal, or the form for an appeal. */
export function strikePage(
  context: Context,
  visit: WebSession,
  viewer: Viewer,
  strike: Strike,
  given: Given = {},
): Response {
  const { t: say } = visit.speaker
  const { config } = context
  const links = (strike.status_ids ?? []).map(id => `${config.publicUrl}/@${viewer.username}/${id}`)
  const body = html`<p class="quiet">${timeOf(strike.created_at)} (UTC)</p>
    <p>${say(meaningOf(strike))}</p>
    ${strike.overruled && html`<p class="notice">${say('strikes.overruled')}</p>`} ${paragraphs(strike.text)}
    ${
      links.length > 0 &&
      html`<p>${say('strikes.statuses')}</p>
        <ul>
          ${links.map(link => html`<li><a class="whole" href="${link}">${link}</a></li>`)}
        </ul>`
    }
    <h2>${say('strikes.appeal.title')}</h2>
    ${appealPart(visit, strike, given)}`
  return settingsPage(context, visit, viewer, { title: say('strikes.one'), body, place: PATH, alert: given.alert })
}

/** The submitted text of the form and its validation error. */
interface Given {
  readonly text?: string
  readonly errors?: readonly string[]
  readonly alert?: string
}

const paragraphs = (text: string): Html[] =>
  text
    .split(/\n{2,}/)
    .filter(paragraph => paragraph.trim() !== '')
    .map(paragraph => html`<p>${paragraph}</p>`)

function appealPart(visit: WebSession, strike: Strike, { text, errors }: Given): Content {
  const { t: say } = visit.speaker
  if (strike.appeal !== null)
    return [html`<p>${say(STATES[strike.state] ?? 'strikes.appeal.pending')}</p>`, ...paragraphs(strike.appeal)]
  if (!strike.fresh) return html`<p>${say('strikes.appeal.too_late')}</p>`
  return html`<p>${say('strikes.appeal.intro')}</p>
    ${form({ action: `${PATH}/${strike.id}/appeal`, csrfToken: visit.csrfToken() }, [
      textArea({
        label: say('strikes.appeal.text'),
        name: 'appeal[text]',
        value: text,
        maxLength: MAX_CHARACTERS,
        required: true,
        errors,
      }),
      submit(say('strikes.appeal.submit')),
    ])}`
}
