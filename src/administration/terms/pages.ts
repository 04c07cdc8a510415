import type { FieldErrors } from '../../auth/sign_up/index.ts'
import { renderMarkdown } from '../../core/text/index.ts'
import { hasTerms, listTerms, termsInForce, type StoredTerms } from '../../instance/index.ts'
import {
  actionButton,
  badge,
  checkbox,
  day,
  field,
  form,
  Html,
  html,
  linkButton,
  section,
  submitAs,
  table,
  textArea,
  time,
  type Content,
} from '../../platform/ui/index.ts'
import { mailingLink } from '../mailings/index.ts'
import type { Staff, StaffPage } from '../index.ts'

export const PATH = '/admin/terms_of_service'
const MAX_CHARACTERS = 100_000
const TEXT_ROWS = 20

/** The submitted form of terms. */
export interface Draft {
  readonly text: string
  readonly changelog: string
  readonly effective_date: string
}

const EMPTY: Draft = { text: '', changelog: '', effective_date: '' }

/** All terms: drafts, those in force, and older ones. */
export async function listPage(staff: Staff): Promise<StaffPage> {
  const { context, t } = staff
  const terms = await listTerms(context)
  const current = (await hasTerms(context)) ? (await termsInForce(context)).effective_date : undefined
  return {
    title: t('terms.title'),
    navigationPath: PATH,
    actions: linkButton(`${PATH}/new`, t('terms.new'), 'primary'),
    body: [
      html`<p>${t('terms.intro')}</p>`,
      table({
        caption: t('terms.history'),
        columns: [
          { label: t('terms.effective_date') },
          { label: t('terms.state') },
          { label: t('terms.changelog') },
          { label: t('terms.actions'), kind: 'actions' },
        ],
        rows: terms.map(row => termsRow(staff, row, current)),
        empty: t('terms.empty'),
      }),
    ],
  }
}

function termsRow(staff: Staff, terms: StoredTerms, current: string | undefined): Content[] {
  const { t, translator, webSession } = staff
  const { id, effective_date: date, published_at: publishedAt, changelog } = terms
  const state = publishedAt === null ? 'draft' : date !== null && date === current ? 'in_force' : 'published'
  return [
    date === null ? '–' : day(date, translator),
    html`${badge(t(`terms.state.${state}`), state === 'in_force' ? 'good' : 'neutral')}
    ${publishedAt && time(publishedAt, translator)}`,
    html`<div class="rich">${new Html(renderMarkdown(changelog))}</div>`,
    html`<div class="buttons">
      ${
        publishedAt === null
          ? linkButton(`${PATH}/${id}`, t('terms.edit'))
          : date !== null && linkButton(`/terms-of-service/${date}`, t('terms.show'))
      }
      ${publishedAt !== null && mailingLink(staff, PATH, id)}
      ${actionButton(
        {
          action: `${PATH}/${id}`,
          method: 'delete',
          csrfToken: webSession.csrfToken(),
          label: t('terms.delete'),
          kind: 'danger',
        },
        publishedAt !== null && checkbox({ id: `sure_${id}`, label: t('accounts.sure'), name: 'sure' }),
      )}
    </div>`,
  ]
}

/** Submitted values that the form shows instead of the stored draft. */
export interface FormState {
  readonly draft?: Draft
  readonly errors?: FieldErrors
  readonly preview?: boolean
}

/** The form of a new draft or of a stored one. */
export function formPage(staff: Staff, stored: StoredTerms | undefined, state: FormState = {}): StaffPage {
  const { context, t, webSession } = staff
  const storedDraft = stored && { ...stored, effective_date: stored.effective_date ?? '' }
  const draft = state.draft ?? storedDraft ?? EMPTY
  const text = draft.text.replaceAll('%{domain}', context.config.localDomain)
  return {
    title: t(stored ? 'terms.edit' : 'terms.new'),
    navigationPath: PATH,
    breadcrumbs: [[PATH, t('terms.title')]],
    body: [
      state.preview === true &&
        section('preview', t('terms.preview'), html`<div class="rich">${new Html(renderMarkdown(text))}</div>`),
      html`<div class="card section">
        ${form(
          {
            action: stored ? `${PATH}/${stored.id}` : PATH,
            csrfToken: webSession.csrfToken(),
            ...(stored && { method: 'put' }),
          },
          [
            html`<button type="submit" hidden></button>`,
            formFields(staff, draft, state.errors ?? {}),
            html`<p class="hint">${t('terms.publish_hint')}</p>
              <div class="buttons">
                ${submitAs('next', 'preview', t('terms.preview'))} ${submitAs('next', 'publish', t('terms.publish'))}
                ${submitAs('next', 'save', t('terms.save'), 'primary')}
              </div>`,
          ],
        )}
      </div>`,
    ],
  }
}

const formFields = ({ t }: Staff, draft: Draft, errors: FieldErrors): Content[] => [
  textArea({
    label: t('terms.text'),
    name: 'terms[text]',
    value: draft.text,
    rows: TEXT_ROWS,
    maxLength: MAX_CHARACTERS,
    required: true,
    hint: t('terms.text_hint'),
    errors: errors['text'],
  }),
  textArea({
    label: t('terms.changelog'),
    name: 'terms[changelog]',
    value: draft.changelog,
    maxLength: MAX_CHARACTERS,
    hint: t('terms.changelog_hint'),
    errors: errors['changelog'],
  }),
  field({
    label: t('terms.effective_date'),
    name: 'terms[effective_date]',
    type: 'date',
    value: draft.effective_date,
    hint: t('terms.effective_date_hint'),
    errors: errors['effective_date'],
  }),
]
