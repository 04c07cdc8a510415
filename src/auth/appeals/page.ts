import { settingsPage } from '../account_settings/index.ts'
import type { Response, Context } from '../../platform/http/index.ts'
import type { Viewer } from '../../core/viewer.ts'
import { readStrikeSubject } from '../../moderation/index.ts'
import { form, html, paragraphs, submit, textArea, time, type Content } from '../../platform/ui/index.ts'
import type { WebSession } from '../sessions/index.ts'
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
export async function strikesPage(context: Context, webSession: WebSession, viewer: Viewer): Promise<Response> {
  const { t } = webSession.translator
  const strikes = await listStrikes(context.database, viewer.id)
  const entries = strikes.map(
    strike =>
      html`<li class="entry">
        <p><a href="${PATH}/${strike.id}">${t(meaningOf(strike))}</a></p>
        <p class="quiet">${time(strike.created_at, webSession.translator)}</p>
        ${strike.overruled && html`<p class="quiet">${t('strikes.overruled')}</p>`}
      </li>`,
  )
  const body = html`<p>${t(strikes.length === 0 ? 'strikes.none' : 'strikes.intro')}</p>
    <ul class="entries">
      ${entries}
    </ul>`
  return settingsPage(context, webSession, viewer, { title: t('strikes.title'), body, navigationPath: PATH })
}

/** One strike with its appeal, or the form for an appeal. */
export async function strikePage(
  context: Context,
  webSession: WebSession,
  viewer: Viewer,
  strike: Strike,
  input: Input = {},
): Promise<Response> {
  const { t } = webSession.translator
  const { config } = context
  const { reason, rules, posts } = await readStrikeSubject(context.database, strike.id, webSession.translator)
  const about = (strike.status_ids ?? []).map(id => {
    const link = `${config.publicUrl}/@${viewer.username}/${id}`
    return html`<li class="entry">
      <p><a class="whole" href="${link}">${link}</a></p>
      <blockquote class="quotation">${paragraphs(posts.get(id) ?? '')}</blockquote>
    </li>`
  })
  const body = html`<p class="quiet">${time(strike.created_at, webSession.translator)}</p>
    <p>${t(meaningOf(strike))}</p>
    ${strike.overruled && html`<p class="notice">${t('strikes.overruled')}</p>`} ${paragraphs(strike.text)}
    ${reason !== undefined && html`<p>${t('strikes.reason', { reason })}</p>`}
    ${
      rules.length > 0 &&
      html`<ul>
        ${rules.map(rule => html`<li dir="auto">${rule}</li>`)}
      </ul>`
    }
    ${
      about.length > 0 &&
      html`<p>${t('strikes.statuses')}</p>
        <ul class="entries">
          ${about}
        </ul>`
    }
    <h2>${t('strikes.appeal.title')}</h2>
    ${appealPart(webSession, strike, input)}`
  return settingsPage(context, webSession, viewer, {
    title: t('strikes.one'),
    body,
    navigationPath: PATH,
    alert: input.alert,
  })
}

/** The submitted text of the form and its validation error. */
interface Input {
  readonly text?: string
  readonly errors?: readonly string[]
  readonly alert?: string
}

function appealPart(webSession: WebSession, strike: Strike, { text, errors }: Input): Content {
  const { t } = webSession.translator
  if (strike.appeal !== null)
    return [html`<p>${t(STATES[strike.state] ?? 'strikes.appeal.pending')}</p>`, ...paragraphs(strike.appeal)]
  if (!strike.fresh) return html`<p>${t('strikes.appeal.too_late')}</p>`
  return html`<p>${t('strikes.appeal.intro')}</p>
    ${form({ action: `${PATH}/${strike.id}/appeal`, csrfToken: webSession.csrfToken() }, [
      textArea({
        label: t('strikes.appeal.text'),
        name: 'appeal[text]',
        value: text,
        maxLength: MAX_CHARACTERS,
        required: true,
        errors,
      }),
      submit(t('strikes.appeal.submit')),
    ])}`
}
