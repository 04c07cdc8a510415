import { LANGUAGES } from '../../core/languages/index.ts'
import { MAX_RULE_CHARACTERS, renderRules, type Rule } from '../../instance/index.ts'
import {
  actionButton,
  field,
  form,
  hidden,
  html,
  linkButton,
  section,
  select,
  submit,
  textArea,
  type Html,
} from '../../platform/ui/index.ts'
import type { Staff, StaffPage } from '../index.ts'

export const PATH = '/admin/rules'
const MAX_HINT_CHARACTERS = 10_000

/** The texts of a rule in a form, with an error message. */
export interface Draft {
  readonly text: string
  readonly hint: string
  readonly error?: string
}

const EMPTY: Draft = { text: '', hint: '' }

/** All rules, and the form for a new one. */
export async function listPage(staff: Staff, draft: Draft = EMPTY): Promise<StaffPage> {
  const { context, webSession, t } = staff
  const rules = await renderRules(context)
  const addForm = form({ action: PATH, csrfToken: webSession.csrfToken() }, [
    ruleFields(staff, 'rule', draft),
    submit(t('rule_pages.add')),
  ])
  const list = html`<ol class="entries rules">
    ${rules.map((rule, index) => ruleEntry(staff, rule, index, rules.length))}
  </ol>`
  return {
    title: t('rule_pages.title'),
    navigationPath: PATH,
    body: [
      html`<p>${t('rule_pages.intro')}</p>`,
      rules.length === 0 ? html`<p class="empty">${t('rule_pages.empty')}</p>` : list,
      section('new', t('rule_pages.new'), addForm),
    ],
  }
}

function ruleEntry(staff: Staff, rule: Rule, index: number, count: number): Html {
  const { t } = staff
  const languages = Object.keys(rule.translations).map(nativeName).sort().join(', ')
  return html`<li class="entry">
    <div>
      <strong>${rule.text}</strong>
      ${rule.hint !== '' && html`<p class="quiet">${rule.hint}</p>`}
      ${languages !== '' && html`<p class="quiet">${t('rule_pages.translated', { languages })}</p>`}
    </div>
    <div class="buttons">
      ${linkButton(`${PATH}/${rule.id}`, t('rule_pages.change'))} ${index > 0 && moveButton(staff, rule, 'up')}
      ${index < count - 1 && moveButton(staff, rule, 'down')}
    </div>
  </li>`
}

const moveButton = ({ webSession, t }: Staff, { id, text }: Rule, direction: 'up' | 'down'): Html =>
  form({ action: `${PATH}/${id}/move`, csrfToken: webSession.csrfToken(), class: 'inline' }, [
    hidden('direction', direction),
    html`<button type="submit" class="button plain" aria-label="${t(`rule_pages.${direction}`, { rule: text })}">
      ${direction === 'up' ? '↑' : '↓'}
    </button>`,
  ])

function ruleFields({ t }: Staff, name: string, { text, hint, error }: Draft): Html[] {
  return [
    field({
      label: t('rule_pages.text'),
      name: `${name}[text]`,
      value: text,
      required: true,
      maxLength: MAX_RULE_CHARACTERS,
      hint: t('rule_pages.text_hint', { count: MAX_RULE_CHARACTERS }),
      errors: error === undefined ? undefined : [error],
    }),
    textArea({
      label: t('rule_pages.hint'),
      name: `${name}[hint]`,
      value: hint,
      maxLength: MAX_HINT_CHARACTERS,
      hint: t('rule_pages.hint_hint'),
    }),
  ]
}

/** A translation in a form. */
export interface TranslationDraft extends Draft {
  readonly language: string
}

/** A rule, its translations, and its deletion. */
export function rulePage(staff: Staff, rule: Rule, draft: Draft = rule, translation?: TranslationDraft): StaffPage {
  const { webSession, t } = staff
  const action = `${PATH}/${rule.id}`
  const translations = Object.entries(rule.translations).map(([language, texts]) =>
    translationForm(staff, rule, translation?.language === language ? translation : { language, ...texts }),
  )
  const isNew = translation !== undefined && !Object.hasOwn(rule.translations, translation.language)
  return {
    title: t('rule_pages.edit'),
    navigationPath: PATH,
    breadcrumbs: [[PATH, t('rule_pages.title')]],
    body: [
      section(
        'rule',
        t('rule_pages.rule'),
        form({ action, method: 'put', csrfToken: webSession.csrfToken() }, [
          ruleFields(staff, 'rule', draft),
          submit(t('rule_pages.save')),
        ]),
      ),
      section('translations', t('rule_pages.translations'), [
        html`<p>${t('rule_pages.translations_intro')}</p>`,
        translations,
        newTranslationForm(staff, rule, isNew ? translation : undefined),
      ]),
      section('delete', t('rule_pages.delete'), [
        html`<p>${t('rule_pages.delete_intro')}</p>`,
        actionButton({
          action,
          method: 'delete',
          csrfToken: webSession.csrfToken(),
          label: t('rule_pages.delete'),
          kind: 'danger',
        }),
      ]),
    ],
  }
}

const nativeName = (code: string): string => LANGUAGES.find(language => language.code === code)?.native ?? code

function translationForm({ webSession, t }: Staff, { id }: Rule, draft: TranslationDraft): Html {
  const { language, text, hint, error } = draft
  return form({ action: `${PATH}/${id}/translations`, method: 'put', csrfToken: webSession.csrfToken() }, [
    html`<h3 lang="${language}">${nativeName(language)}</h3>`,
    hidden('translation[language]', language),
    translationFields(t, { text, hint, ...(error !== undefined && { error }) }, `translation_${language}`),
    submit(t('rule_pages.save'), 'plain'),
  ])
}

function newTranslationForm({ webSession, t }: Staff, { id, translations }: Rule, draft?: TranslationDraft): Html {
  const languages = LANGUAGES.filter(({ code }) => !Object.hasOwn(translations, code))
  return form({ action: `${PATH}/${id}/translations`, method: 'put', csrfToken: webSession.csrfToken() }, [
    html`<h3>${t('rule_pages.new_translation')}</h3>`,
    select({
      label: t('rule_pages.language'),
      name: 'translation[language]',
      choices: languages.map(({ code, native }) => [code, `${native} (${code})`] as const),
      value: draft?.language ?? '',
    }),
    translationFields(t, draft ?? EMPTY, 'translation_new'),
    submit(t('rule_pages.save'), 'plain'),
  ])
}

const translationFields = (t: Staff['t'], { text, hint, error }: Draft, id: string): Html[] => [
  field({
    label: t('rule_pages.text'),
    name: 'translation[text]',
    id: `${id}_text`,
    value: text,
    maxLength: MAX_RULE_CHARACTERS,
    errors: error === undefined ? undefined : [error],
  }),
  textArea({
    label: t('rule_pages.hint'),
    name: 'translation[hint]',
    id: `${id}_hint`,
    value: hint,
    maxLength: MAX_HINT_CHARACTERS,
  }),
]
