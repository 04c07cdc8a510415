import { featuredTagsOf } from '../../accounts/index.ts'
import { refusalOf, signedInForm, signedInPage, settingsPage } from '../../auth/account_settings/index.ts'
import type { WebSession } from '../../auth/sessions/index.ts'
import type { Viewer } from '../../core/viewer.ts'
import { param, redirect, type Context, type Response } from '../../platform/http/index.ts'
import type { TextKey } from '../../platform/i18n/index.ts'
import { field, form, hidden, html, submit } from '../../platform/ui/index.ts'
import { addFeatured, recentlyUsedTags, removeFeatured } from './feature.ts'

const path = '/settings/featured_tags'
const NAME = 'featured_tag[name]'

/** Why a hashtag was not featured, by the message of the API. */
const REASONS: Readonly<Record<string, TextKey>> = {
  'Validation failed: Name is invalid': 'featured_tags.invalid',
  'Validation failed: Tag has already been taken': 'form_error.ERR_TAKEN',
  'Validation failed: You have already featured the maximum number of hashtags': 'featured_tags.most',
}

/** Shows the hashtags on the profile, and others to choose from. */
export const showFeaturedPage = signedInPage({
  path,
  summary: "List the hashtags on the user's profile",
  params: {},
  functional: true,
  show: (_, context, webSession, viewer) => featuredPage(context, webSession, viewer),
})

export const addOnPage = signedInForm({
  method: 'POST',
  path,
  summary: "Feature a hashtag on the caller's profile",
  params: {
    featured_tag: param.object({ name: param.string({ default: '' }) }, { missing: 400 }),
  },
  functional: true,
  async act({ featured_tag: { name } }, context, webSession, viewer) {
    const refusal = await refusalOf(webSession, () => addFeatured(context, viewer, name))
    if (refusal) return featuredPage(context, webSession, viewer, { name, ...refusal })
    webSession.flash(webSession.translator.t('preferences.saved'))
    return webSession.respond(redirect(path))
  },
})

export const removeOnPage = signedInForm({
  method: 'DELETE',
  path: `${path}/:id`,
  summary: "Stop featuring a hashtag on the caller's profile",
  params: { id: param.id() },
  functional: true,
  async act({ id }, context, webSession, viewer) {
    await removeFeatured(context.database, viewer.id, id)
    webSession.flash(webSession.translator.t('featured_tags.removed'))
    return webSession.respond(redirect(path))
  },
})

async function featuredPage(
  context: Context,
  webSession: WebSession,
  viewer: Viewer,
  refused?: { name: string; alert: string; message?: string | undefined },
): Promise<Response> {
  const { t } = webSession.translator
  const csrfToken = webSession.csrfToken()
  const [tags, recent] = await Promise.all([
    featuredTagsOf(context, { id: viewer.id, acct: viewer.username }),
    recentlyUsedTags(context.database, viewer.id),
  ])
  const reason = refused?.message === undefined ? undefined : REASONS[refused.message]
  const entries = tags.map(
    ({ id, name, url, statuses_count: count, last_status_at: last }) =>
      html`<li class="entry">
        <p>
          <a href="${url}"><strong>#${name}</strong></a>
        </p>
        <p class="quiet">
          ${t('featured_tags.posts', { count: Number(count) })}
          ${last !== null && ` · ${t('featured_tags.last', { date: last })}`}
        </p>
        ${form({ action: `${path}/${id}`, method: 'delete', csrfToken }, submit(t('featured_tags.remove'), 'danger'))}
      </li>`,
  )
  const suggestions = recent.map(
    name =>
      html`<li>
        ${form({ action: path, csrfToken, class: 'inline' }, [hidden(NAME, name), submit(`#${name}`, 'plain')])}
      </li>`,
  )
  const body = html`<p>${t('featured_tags.intro')}</p>
    ${form({ action: path, csrfToken }, [
      field({
        label: t('featured_tags.name'),
        name: NAME,
        value: refused?.name,
        errors: refused && [reason === undefined ? refused.alert : t(reason)],
        required: true,
        verbatim: true,
      }),
      submit(t('featured_tags.add')),
    ])}
    ${
      suggestions.length > 0 &&
      html`<h2>${t('featured_tags.suggestions')}</h2>
        <ul class="chips">
          ${suggestions}
        </ul>`
    }
    ${
      entries.length > 0 &&
      html`<ul class="entries">
        ${entries}
      </ul>`
    }`
  const title = t('featured_tags.title')
  return settingsPage(context, webSession, viewer, { title, body, navigationPath: path })
}
