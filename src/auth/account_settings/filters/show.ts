import { ApiError } from '../../../core/errors.ts'
import { param } from '../../../platform/http/index.ts'
import type { Translator } from '../../../platform/i18n/index.ts'
import { entryList, form, html, submit, timeText, type Html } from '../../../platform/ui/index.ts'
import { CONTEXTS, findOwn, type StoredFilter } from '../../../statuses/filters/index.ts'
import { signedInPage, settingsPage } from '../index.ts'
import { filterPage, PATH } from './filter_page.ts'

export const listFilters = signedInPage({
  path: PATH,
  summary: "List the user's filters",
  params: {},
  functional: true,
  async show(_, context, webSession, viewer) {
    const { translator } = webSession
    const { t } = translator
    const csrfToken = webSession.csrfToken()
    const filters = await context.database.run(findOwn, { viewer: viewer.id, filter: null })
    const body = html`<p>${t('filters.intro')}</p>
      <p><a class="button primary" href="${PATH}/new">${t('filters.new')}</a></p>
      ${entryList(
        filters.map(filter => entry(filter, translator, csrfToken)),
        t('filters.none'),
      )}`
    return settingsPage(context, webSession, viewer, { title: t('filters.title'), body, navigationPath: PATH })
  },
})

function entry(filter: StoredFilter, translator: Translator, csrfToken: string): Html {
  const { t, language } = translator
  const { id, title, keywords, statuses, contexts, expires_at: expiresAt } = filter
  const places = CONTEXTS.filter(one => contexts.includes(one)).map(one => t(`filters.context.${one}`))
  const counts = [t('filters.keywords_count', { count: keywords.length })]
  if (statuses.length > 0) counts.push(t('filters.statuses_count', { count: statuses.length }))
  const expired = expiresAt !== null && expiresAt.getTime() <= Date.now()
  if (expiresAt !== null)
    counts.push(t(expired ? 'filters.expired_on' : 'filters.expires_on', { date: timeText(expiresAt, translator) }))
  return html`<li class="entry">
    <p>
      <a href="${PATH}/${id}/edit"><strong>${title}</strong></a>
    </p>
    <p class="quiet">${counts.join(' · ')}</p>
    <p class="quiet">${new Intl.ListFormat(language).format(places)}</p>
    ${form({ action: `${PATH}/${id}`, method: 'delete', csrfToken }, submit(t('filters.remove'), 'danger'))}
  </li>`
}

export const newFilter = signedInPage({
  path: `${PATH}/new`,
  summary: 'Show the form for a new filter',
  params: {},
  functional: true,
  show: (_, context, webSession, viewer) => filterPage(context, webSession, viewer, {}),
})

export const editFilterPage = signedInPage({
  path: `${PATH}/:id/edit`,
  summary: 'Show the form for a filter',
  params: { id: param.id() },
  functional: true,
  async show({ id }, context, webSession, viewer) {
    const stored = await context.database.one(findOwn, { viewer: viewer.id, filter: id })
    if (!stored) throw new ApiError('notFound')
    return filterPage(context, webSession, viewer, { stored })
  },
})
