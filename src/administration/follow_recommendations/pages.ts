import { findByHandle, parseHandle } from '../../accounts/index.ts'
import { param, type Context } from '../../platform/http/index.ts'
import { InvalidSetting } from '../../platform/settings/index.ts'
import { badge, form, html, section, submit, textArea, type Content } from '../../platform/ui/index.ts'
import { staffForm, staffView, type Staff, type StaffPage } from '../index.ts'
import { loadPeople, personLink, type Shown } from '../page_parts/index.ts'
import type { ShownAccount } from '../../web/public/index.ts'

const PATH = '/admin/follow_recommendations'
const permissions = ['manage_taxonomies'] as const
const KEYS = ['bootstrap_timeline_accounts', 'auto_follow_accounts'] as const
type Key = (typeof KEYS)[number]

/** The names in a text: one a line, or separated by commas. */
const namesIn = (text: string): string[] =>
  text
    .split(/[\s,]+/)
    .map(name => name.replace(/^@/, ''))
    .filter(name => name !== '')

/** The names of the settings, each with its account, if there is one. */
interface Named {
  readonly name: string
  readonly account: ShownAccount | undefined
}

async function findNamed(context: Context, names: readonly string[], origins: Set<string>): Promise<Named[]> {
  const ids = new Map<string, string>()
  for (const name of names) {
    const id = await findByHandle(context, name)
    if (id !== undefined) ids.set(name, id)
  }
  const people: Shown<ShownAccount> = await loadPeople(context, [...ids.values()])
  for (const origin of people.origins) origins.add(origin)
  return names.map(name => ({ name, account: people.found.get(ids.get(name) ?? '') }))
}

const listOf = (named: readonly Named[], { t }: Staff): Content =>
  named.length === 0
    ? html`<p class="quiet">${t('follow_recommendations.none')}</p>`
    : html`<ul class="links">
        ${named.map(
          ({ name, account }) =>
            html`<li>
              ${account ? personLink(account) : html`@${name} ${badge(t('follow_recommendations.unknown'), 'warning')}`}
            </li>`,
        )}
      </ul>`

async function showPage(staff: Staff, given: Partial<Record<Key, string>> = {}, alert?: string): Promise<StaffPage> {
  const { context, webSession, t } = staff
  const origins = new Set<string>()
  const sections: Content[] = []
  for (const key of KEYS) {
    const names = context.settings.get(key)
    const named = await findNamed(context, names, origins)
    sections.push(
      section(key, t(`follow_recommendations.${key}`), [
        listOf(named, staff),
        form({ action: PATH, method: 'put', csrfToken: webSession.csrfToken() }, [
          textArea({
            label: t('follow_recommendations.names'),
            name: key,
            value: given[key] ?? names.join('\n'),
            hint: t(`follow_recommendations.${key}_hint`),
            errors: given[key] !== undefined && alert !== undefined ? [alert] : [],
          }),
          submit(t('staff.save')),
        ]),
      ]),
    )
  }
  return {
    title: t('follow_recommendations.title'),
    place: PATH,
    body: html`<p>${t('follow_recommendations.intro')}</p>
      <div class="columns">${sections}</div>`,
    shown: [...origins],
  }
}

const show = staffView({
  path: PATH,
  summary: 'Accounts that are recommended to newcomers, or followed from the start',
  permissions,
  params: {},
  show: (_, staff) => showPage(staff),
})

const MAX_NAMES = 100

const change = staffForm({
  path: PATH,
  method: 'PUT',
  summary: 'Change the accounts that are recommended to newcomers, or followed from the start',
  permissions,
  params: {
    bootstrap_timeline_accounts: param.string({ optional: true }),
    auto_follow_accounts: param.string({ optional: true }),
  },
  async act(sent, staff) {
    const { context, viewer, t } = staff
    for (const key of KEYS) {
      const text = sent[key]
      if (text === undefined) continue
      const names = [...new Set(namesIn(text))]
      const wrong = names.find(name => !parseHandle(name, context.config))
      if (wrong !== undefined)
        return showPage(staff, { [key]: text }, t('follow_recommendations.invalid', { name: wrong }))
      if (names.length > MAX_NAMES)
        return showPage(staff, { [key]: text }, t('follow_recommendations.too_many', { count: MAX_NAMES }))
      try {
        await context.settings.set(key, names, viewer.id)
      } catch (error) {
        if (!(error instanceof InvalidSetting)) throw error
        return showPage(staff, { [key]: text }, t(`site_settings.fault.${error.code}`, error.values))
      }
    }
    return { to: PATH, notice: t('staff.saved') }
  },
})

export const pageOperations = [show, change]
