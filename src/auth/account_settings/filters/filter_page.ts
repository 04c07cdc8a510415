import type { Viewer } from '../../../core/viewer.ts'
import type { Context, Response } from '../../../platform/http/index.ts'
import type { Translator } from '../../../platform/i18n/index.ts'
import {
  choices,
  field,
  form,
  hidden,
  html,
  select,
  submit,
  timeText,
  toggle,
  type Html,
} from '../../../platform/ui/index.ts'
import { ACTIONS, CONTEXTS, type FilterInput, type StoredFilter } from '../../../statuses/filters/index.ts'
import type { WebSession } from '../../sessions/index.ts'
import type { FieldErrors } from '../../sign_up/index.ts'
import { settingsPage } from '../index.ts'

export const PATH = '/settings/filters'

/** The choices for the lifetime of a filter, in seconds. */
const DURATIONS = [1800, 3600, 21_600, 43_200, 86_400, 604_800] as const
const NEW_KEYWORDS = 3

/** The choice that keeps the current expiry. */
export const KEEP = 'keep'

interface Shown {
  /** Undefined for a new filter. */
  readonly stored?: StoredFilter | undefined
  /** The values of a refused form. */
  readonly input?: FilterInput
  readonly errors?: FieldErrors
  readonly alert?: string
}

interface Keyword {
  readonly id?: string | undefined
  readonly keyword?: string | undefined
  readonly whole_word?: boolean | undefined
}

/** The form of a filter with its keywords. */
export function filterPage(context: Context, webSession: WebSession, viewer: Viewer, shown: Shown): Response {
  const { stored, input, errors = {}, alert } = shown
  const { t } = webSession.translator
  const action = stored ? `${PATH}/${stored.id}` : PATH
  const body = form({ action, ...(stored && { method: 'put' }), csrfToken: webSession.csrfToken() }, [
    field({
      label: t('filters.name'),
      name: 'filter[title]',
      value: input?.title ?? stored?.title,
      required: true,
      errors: errors['title'],
    }),
    choices({
      legend: t('filters.contexts'),
      name: 'filter[context]',
      choices: CONTEXTS.map(one => [one, t(`filters.context.${one}`)]),
      chosen: new Set(input?.context ?? stored?.contexts ?? ['home']),
      errors: errors['context'],
    }),
    select({
      label: t('filters.action'),
      name: 'filter[filter_action]',
      choices: ACTIONS.map(one => [one, t(`filters.action.${one}`)]),
      value: input?.filter_action ?? stored?.action ?? 'warn',
      errors: errors['filter_action'],
    }),
    select({
      label: t('filters.expires'),
      name: 'filter[expires_in]',
      choices: expiryChoices(webSession.translator, stored),
      value: chosenExpiry(shown),
    }),
    keywordRows(webSession.translator, input?.keywords_attributes ?? stored?.keywords ?? [], errors['keywords']),
    submit(t('account.save')),
  ])
  const title = t(stored ? 'filters.edit' : 'filters.new')
  return settingsPage(context, webSession, viewer, { title, body, navigationPath: PATH, alert })
}

/** The choice of a refused form, else the one that changes nothing. */
function chosenExpiry({ stored, input }: Shown): string {
  const seconds = input?.expires_in
  if (typeof seconds === 'number') return String(seconds)
  if (!stored) return ''
  return seconds === null && stored.expires_at !== null ? '' : KEEP
}

function expiryChoices(translator: Translator, stored: StoredFilter | undefined): [string, string][] {
  const { t } = translator
  const choices = DURATIONS.map((seconds): [string, string] => [String(seconds), t(`filters.after.${seconds}`)])
  choices.unshift(['', t('filters.never')])
  if (stored?.expires_at)
    choices.unshift([KEEP, t('filters.keep_end', { date: timeText(stored.expires_at, translator) })])
  else if (stored) choices[0] = [KEEP, t('filters.never')]
  return choices
}

function keywordRows({ t }: Translator, input: readonly Keyword[], errors: readonly string[] = []): Html {
  const rows = [...input, ...Array.from({ length: NEW_KEYWORDS }, (): Keyword => ({}))].map((row, index) => {
    const of = (part: string): string => `filter[keywords_attributes][${index}][${part}]`
    return html`<div class="pair">
      ${row.id !== undefined && hidden(of('id'), row.id)}
      ${field({ label: t('filters.keyword', { number: index + 1 }), name: of('keyword'), value: row.keyword ?? '', verbatim: true })}
      ${toggle({ label: t('filters.whole_word'), name: of('whole_word'), checked: row.whole_word ?? true })}
    </div>`
  })
  return html`<fieldset>
    <legend>${t('filters.keywords')}</legend>
    <p class="hint">${t('filters.keywords_hint')}</p>
    ${errors.length > 0 && html`<p class="error">${errors.join(', ')}</p>`} ${rows}
  </fieldset>`
}
