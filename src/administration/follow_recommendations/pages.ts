import { findByHandle, parseHandle } from '../../accounts/index.ts'
import { param, type Context } from '../../platform/http/index.ts'
import { InvalidSetting } from '../../platform/settings/index.ts'
import { badge, form, html, section, submit, textArea, type Content } from '../../platform/ui/index.ts'
import { staffForm, staffView, type Staff, type StaffPage } from '../index.ts'
import { loadAccounts, accountLink, type LoadedEntities } from '../page_parts/index.ts'
import type { ShownAccount } from '../../web/public/index.ts'

const PATH = '/admin/follow_recommendations'
const permissions = ['manage_taxonomies'] as const
const KEYS = ['bootstrap_timeline_accounts', 'auto_follow_accounts'] as const
type Key = (typeof KEYS)[number]

/** Splits a text into names, separated by white space or commas. */
const parseNames = (text: string): string[] =>
  text
    .split(/[\s,]+/)
    .map(name => name.replace(/^@/, ''))
    .filter(name => name !== '')

/** A name in a setting, with its account if there is one. */
interface NamedAccount {
  readonly name: string
  readonly account: ShownAccount | undefined
}

async function findNamedAccounts(
  context: Context,
  names: readonly string[],
  origins: Set<string>,
): Promise<NamedAccount[]> {
  const ids = new Map<string, string>()
  for (const name of names) {
    const id = await findByHandle(context, name)
    if (id !== undefined) ids.set(name, id)
  }
  const accounts: LoadedEntities<ShownAccount> = await loadAccounts(context, [...ids.values()])
  for (const origin of accounts.origins) origins.add(origin)
  return names.map(name => ({ name, account: accounts.byId.get(ids.get(name) ?? '') }))
}

const accountList = (accounts: readonly NamedAccount[], { t }: Staff): Content =>
  accounts.length === 0
    ? html`<p class="quiet">${t('follow_recommendations.none')}</p>`
    : html`<ul class="links">
        ${accounts.map(
          ({ name, account }) =>
            html`<li>
              ${account ? accountLink(account) : html`@${name} ${badge(t('follow_recommendations.unknown'), 'warning')}`}
            </li>`,
        )}
      </ul>`

async function showPage(staff: Staff, sent: Partial<Record<Key, string>> = {}, alert?: string): Promise<StaffPage> {
  const { context, webSession, t } = staff
  const origins = new Set<string>()
  const sections: Content[] = []
  for (const key of KEYS) {
    const names = context.settings.get(key)
    const accounts = await findNamedAccounts(context, names, origins)
    sections.push(
      section(key, t(`follow_recommendations.${key}`), [
        accountList(accounts, staff),
        form({ action: PATH, method: 'put', csrfToken: webSession.csrfToken() }, [
          textArea({
            label: t('follow_recommendations.names'),
            name: key,
            value: sent[key] ?? names.join('\n'),
            hint: t(`follow_recommendations.${key}_hint`),
            errors: sent[key] !== undefined && alert !== undefined ? [alert] : [],
          }),
          submit(t('staff.save')),
        ]),
      ]),
    )
  }
  return {
    title: t('follow_recommendations.title'),
    navigationPath: PATH,
    body: html`<p>${t('follow_recommendations.intro')}</p>
      <div class="columns">${sections}</div>`,
    fileOrigins: [...origins],
  }
}

const showRecommendations = staffView({
  path: PATH,
  summary: 'List the accounts that new users are recommended or follow automatically',
  permissions,
  params: {},
  show: (_, staff) => showPage(staff),
})

const MAX_NAMES = 100

const changeRecommendations = staffForm({
  path: PATH,
  method: 'PUT',
  summary: 'Change the accounts that new users are recommended or follow automatically',
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
      const names = [...new Set(parseNames(text))]
      const invalid = names.find(name => !parseHandle(name, context.config))
      if (invalid !== undefined)
        return showPage(staff, { [key]: text }, t('follow_recommendations.invalid', { name: invalid }))
      if (names.length > MAX_NAMES)
        return showPage(staff, { [key]: text }, t('follow_recommendations.too_many', { count: MAX_NAMES }))
      try {
        await context.settings.set(key, names, viewer.id)
      } catch (error) {
        if (!(error instanceof InvalidSetting)) throw error
        return showPage(staff, { [key]: text }, t(`site_settings.error.${error.code}`, error.values))
      }
    }
    return { to: PATH, notice: t('staff.saved') }
  },
})

export const pageOperations = [showRecommendations, changeRecommendations]
