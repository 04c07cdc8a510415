import { block, changePair, follow, lockAccount, mute, resolveByHandle } from '../../accounts/index.ts'
import { addDomainBlock, normaliseDomain } from '../../accounts/domain_blocks/index.ts'
import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { findLanguage } from '../../core/languages/index.ts'
import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { bookmark } from '../../statuses/index.ts'
import { addList, addListMembers } from '../lists/index.ts'
import { findStatusByUri } from './find_status.ts'
import type { Kind } from './kinds.ts'

const findTitled = query('timelines/data_import/list_titled', { account: c.id, title: c.text }, { id: c.id })

/** The subject of a row, which an import that replaces must not remove. */
export type Target = { readonly id: Id } | { readonly domain: string }

/** A row that cannot be imported. */
class RowFailure extends Error {}

/** Errors of single rows, which do not end the run. */
const isRefusal = (error: unknown): boolean =>
  error instanceof RowFailure || (error instanceof ApiError && error.status < 500)

const isFalse = (cell: string): boolean => /^(?:false|0|no)$/i.test(cell)
const isTrue = (cell: string): boolean => /^(?:true|1|yes)$/i.test(cell)

/**
 * Finds the subject of a row, here or on its server; undefined if there is none, or its server does
 * not respond.
 */
export async function findTarget(
  services: Services,
  kind: Kind,
  account: Id,
  cells: readonly string[],
): Promise<Target | undefined> {
  const [first = '', second = ''] = cells
  if (kind === 'domain_blocks') {
    try {
      return { domain: normaliseDomain(first) }
    } catch (error) {
      if (isRefusal(error)) return undefined
      throw error
    }
  }
  if (kind === 'bookmarks') {
    const id = await findStatusByUri(services, first)
    return id === undefined ? undefined : { id }
  }
  const id = await resolveByHandle(services, kind === 'lists' ? second : first)
  return id === undefined || (id === account && kind !== 'lists') ? undefined : { id }
}

type Apply = (services: Services, account: Id, target: Id, cells: readonly string[]) => Promise<void>

const APPLY: Readonly<Record<Exclude<Kind, 'domain_blocks'>, Apply>> = {
  async follows({ database, config }, account, target, [, boosts = '', notify = '', tags = '']) {
    // Empty cells, also of columns that the file does not have, change nothing.
    const options = {
      reblogs: boosts === '' ? undefined : !isFalse(boosts),
      notify: notify === '' ? undefined : isTrue(notify),
      languages: tags === '' ? undefined : tags.split(/[\s,]+/).flatMap(tag => findLanguage(tag) ?? []),
    }
    await changePair(database, account, target, transaction => follow(transaction, config, account, target, options))
  },
  async blocks({ database }, account, target) {
    await block(database, account, target)
  },
  async mutes({ database }, account, target, [, notifications = '']) {
    await mute(database, account, target, { notifications: !isFalse(notifications), duration: null })
  },
  async bookmarks({ database }, account, target) {
    if ((await bookmark(database, account, target)) === undefined) throw new RowFailure()
  },
  async lists({ database, config }, account, target, [title = '']) {
    const name = Array.from(title).slice(0, 256).join('')
    if (name === '') throw new RowFailure()
    // Only followed accounts can be on a list.
    if (target !== account)
      await changePair(database, account, target, transaction => follow(transaction, config, account, target))
    const list = await database.transaction(async transaction => {
      // Another import may be adding the same list.
      await lockAccount(transaction, account)
      return (
        (await transaction.one(findTitled, { account, title: name })) ??
        addList(transaction, account, { title: name, replies_policy: 'list', exclusive: false })
      )
    })
    await addListMembers(database, account, list.id, [target])
  },
}

/**
 * Applies a row to its subject. Repeating it changes nothing.
 * @returns false when that is impossible
 */
export async function applyRow(
  services: Services,
  kind: Kind,
  account: Id,
  target: Target,
  cells: readonly string[],
): Promise<boolean> {
  try {
    if ('domain' in target) await addDomainBlock(services.database, account, target.domain)
    else if (kind !== 'domain_blocks') await APPLY[kind](services, account, target.id, cells)
    return true
  } catch (error) {
    if (isRefusal(error)) return false
    throw error
  }
}
