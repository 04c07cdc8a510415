import { renderAccounts } from '../../accounts/index.ts'
import type { Id } from '../../core/id.ts'
import type { Context } from '../../platform/http/index.ts'
import { html, type Html } from '../../platform/ui/index.ts'
import { renderStatuses } from '../../statuses/index.ts'
import {
  nameOf,
  originsOf,
  parseAccount,
  parseStatus,
  type ShownAccount,
  type ShownStatus,
} from '../../web/public/index.ts'

/** Entities for a page by id, and the origins of their files. */
export interface LoadedEntities<T> {
  readonly byId: ReadonlyMap<Id, T>
  readonly origins: readonly string[]
}

/** Loads the accounts with these ids, in any state. */
export async function loadAccounts(context: Context, ids: readonly Id[]): Promise<LoadedEntities<ShownAccount>> {
  const rendered = await renderAccounts(context, null, [...new Set(ids)])
  const byId = new Map([...rendered].map(([id, entity]) => [id, parseAccount(entity)]))
  const origins = [...byId.values()].map(({ avatar_static: url }) => new URL(url).origin)
  return { byId, origins: [...new Set(origins)] }
}

/**
 * Loads the statuses with these ids that still exist, also of suspended people. The caller decides
 * who may see them.
 * @param deleted includes deleted ones that are kept as evidence
 */
export async function loadStatuses(
  context: Context,
  ids: readonly Id[],
  deleted = false,
): Promise<LoadedEntities<ShownStatus>> {
  const rendered = await renderStatuses(context, null, [...new Set(ids)], { deleted, unseen: true })
  const byId = new Map([...rendered].map(([id, entity]) => [id, parseStatus(entity)]))
  return { byId, origins: [...new Set([...byId.values()].flatMap(originsOf))] }
}

/** A link to the staff's page of an account, with its avatar, name and handle. */
export const accountLink = (account: ShownAccount): Html =>
  html`<a class="person" href="/admin/accounts/${account.id}">
    <img src="${account.avatar_static}" alt="" width="40" height="40" loading="lazy" />
    <span>${nameOf(account)}<span class="quiet">@${account.acct}</span></span>
  </a>`

/** As `accountLink`, or the text if the account no longer exists. */
export const accountLinkOr = (
  accounts: LoadedEntities<ShownAccount>,
  id: Id | null | undefined,
  missing: string,
): Html => {
  const account = id === null || id === undefined ? undefined : accounts.byId.get(id)
  return account ? accountLink(account) : html`<span class="quiet">${missing}</span>`
}

/** The path of the staff's page of a status. */
export const statusPath = (id: Id): string => `/admin/statuses/${id}`
