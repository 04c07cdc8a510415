import { ApiError } from '../../../core/errors.ts'
import { param, redirect } from '../../../platform/http/index.ts'
import type { Translator } from '../../../platform/i18n/index.ts'
import {
  addFilter,
  deleteFilter,
  editFilter,
  FILTER_PARAMS,
  filterErrors,
  limitIn,
  findOwn,
  type FilterInput,
} from '../../../statuses/filters/index.ts'
import type { FieldErrors } from '../../sign_up/index.ts'
import { refusalOf, signedInForm } from '../index.ts'
import { filterPage, KEEP, PATH } from './filter_page.ts'

const filterParam = param.object(
  { ...FILTER_PARAMS, expires_in: param.string({ optional: true, description: 'in seconds; empty: never; or keep' }) },
  { missing: 400 },
)

interface Sent extends Omit<FilterInput, 'expires_in'> {
  readonly expires_in: string | undefined
}

/**
 * Converts the form to the API's input: an emptied keyword is removed, an empty new one is ignored.
 */
function readForm({ expires_in: ending, keywords_attributes: keywords = [], ...rest }: Sent): FilterInput {
  const seconds = Number(ending)
  const isBlank = (keyword: string | undefined): boolean => (keyword ?? '').trim() === ''
  return {
    ...rest,
    expires_in: ending === undefined || ending === KEEP ? undefined : seconds > 0 ? Math.trunc(seconds) : null,
    keywords_attributes: keywords
      .filter(({ id, keyword }) => id !== undefined || !isBlank(keyword))
      .map(one => (isBlank(one.keyword) ? { ...one, _destroy: true } : one)),
  }
}

/** The errors by field of the form. */
function errorsOf(
  { title = '', context = [], filter_action, keywords_attributes = [] }: FilterInput,
  { t }: Translator,
): FieldErrors {
  const keywords = keywords_attributes.flatMap(({ keyword, _destroy: isRemoved }) => (isRemoved ? [] : [keyword]))
  const errors: Record<string, string[]> = {}
  for (const { part, code, message } of filterErrors({ title, context, filter_action, keywords })) {
    const texts = (errors[part] ??= [])
    const text = t(`form_error.${code}`, { count: /\d+/.exec(message)?.[0] ?? '' })
    // For an empty list of contexts the first error is enough.
    if (part !== 'context' || texts.length === 0) texts.push(text)
  }
  return errors
}

export const createFilterOnPage = signedInForm({
  method: 'POST',
  path: PATH,
  summary: 'Create a filter',
  params: { filter: filterParam },
  functional: true,
  async act({ filter }, context, webSession, viewer) {
    const input = readForm(filter)
    const refusal = await refusalOf(webSession, () => addFilter(context.database, viewer.id, input))
    if (refusal) {
      const errors = errorsOf(input, webSession.translator)
      return filterPage(context, webSession, viewer, {
        input,
        errors,
        alert: alertOf(errors, refusal.alert, webSession.translator),
      })
    }
    webSession.flash(webSession.translator.t('filters.created'))
    return webSession.respond(redirect(PATH))
  },
})

/** The general text when fields have errors, else the error of the statement about limits. */
function alertOf(errors: FieldErrors, message: string, { t }: Translator): string {
  if (Object.keys(errors).length > 0) return t('settings.refused')
  const limit = limitIn(message)
  return limit === undefined ? message : t(`filters.limit.${limit}`)
}

export const changeFilterOnPage = signedInForm({
  method: ['PUT', 'PATCH'],
  path: `${PATH}/:id`,
  summary: 'Change a filter',
  params: { id: param.id(), filter: filterParam },
  functional: true,
  async act({ id, filter }, context, webSession, viewer) {
    const { database } = context
    const stored = await database.one(findOwn, { viewer: viewer.id, filter: id })
    if (!stored) throw new ApiError('notFound')
    const input = readForm(filter)
    const refusal = await refusalOf(webSession, () => editFilter(database, viewer.id, id, input))
    if (refusal) {
      const errors = errorsOf({ title: stored.title, context: stored.contexts, ...input }, webSession.translator)
      const alert = alertOf(errors, refusal.alert, webSession.translator)
      return filterPage(context, webSession, viewer, { stored, input, errors, alert })
    }
    webSession.flash(webSession.translator.t('preferences.saved'))
    return webSession.respond(redirect(PATH))
  },
})

export const removeFilterOnPage = signedInForm({
  method: 'DELETE',
  path: `${PATH}/:id`,
  summary: 'Delete a filter',
  params: { id: param.id() },
  functional: true,
  async act({ id }, context, webSession, viewer) {
    await deleteFilter(context.database, viewer.id, id)
    webSession.flash(webSession.translator.t('filters.removed'))
    return webSession.respond(redirect(PATH))
  },
})
