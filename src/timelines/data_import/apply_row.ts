import { block, changePair, findByHandle, follow, mute } from '../../accounts/index.ts'
import { addDomainBlock, normaliseDomain } from '../../accounts/domain_blocks/index.ts'
import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { findLanguage } from '../../core/languages/index.ts'
import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { bookmark, statusIdIn } from '../../statuses/index.ts'
import { addList, addListMembers } from '../lists/index.ts'
import type { Kind } from './kinds.ts'

const findTitled = query('timelines/data_import/list_titled', { account: c.id, title: c.text }, { id: c.id })

/** The subject of a row, which an import that replaces must not remove. */
export interface Target {
  readonly id?: Id
  readonly domain?: string
}

/** A row that cannot be imported. */
class RowFailure extends Error {}

const isFalse = (cell: string): boolean => /^(?:false|0|no)$/i.test(cell)
const isTrue = (cell: string): boolean => /^(?:true|1|yes)$/i.test(cell)

/** The account that a cell names, which must be another one. */
async function accountIn(services: Services, own: Id, handle: string): Promise<Id> {
  const account = await findByHandle(services, handle)
  if (account === undefined || account === own) throw new RowFailure()
  return account
}

const APPLY: Readonly<Record<Kind, (services: Services, account: Id, cells: readonly string[]) => Promise<Target>>> = {
  async follows(services, account, [handle = '', boosts = '', notify = '', tags = '']) {
    const id = await accountIn(services, account, handle)
    const languages = tags.split(/[\s,]+/).flatMap(tag => (tag === '' ? [] : (findLanguage(tag) ?? [])))
    const options = { reblogs: !isFalse(boosts), notify: isTrue(notify), languages }
    await changePair(services.database, account, id, transaction =>
      follow(transaction, services.config, account, id, options),
    )
    return { id }
  },
  async blocks(services, account, [handle = '']) {
    const id = await accountIn(services, account, handle)
    await block(services.database, account, id)
    return { id }
  },
  async mutes(services, account, [handle = '', notifications = '']) {
    const id = await accountIn(services, account, handle)
    await mute(services.database, account, id, { notifications: !isFalse(notifications) })
    return { id }
  },
  async domain_blocks({ database }, account, [name = '']) {
    const domain = normaliseDomain(name)
    await addDomainBlock(database, account, domain)
    return { domain }
  },
  async bookmarks({ database, config }, account, [uri = '']) {
    const status = statusIdIn(uri, config.publicUrl)
    const id = status === undefined ? undefined : await bookmark(database, account, status)
    if (id === undefined) throw new RowFailure()
    return { id }
  },
  async lists(services, account, [title = '', handle = '']) {
    const { database } = services
    const name = Array.from(title).slice(0, 256).join('')
    const id = await findByHandle(services, handle)
    if (name === '' || id === undefined) throw new RowFailure()
    const list =
      (await database.one(findTitled, { account, title: name })) ??
      (await addList(database, account, { title: name, replies_policy: 'list', exclusive: false }))
    await addListMembers(database, account, list.id, [id])
    return { id }
  },
}

/** Errors of single rows, which do not end the run. */
const isRefusal = (error: unknown): boolean =>
  error instanceof RowFailure || (error instanceof ApiError && error.status < 500)

/** Applies a row; undefined when that is impossible. Repeating it changes nothing. */
export async function applyRow(
  services: Services,
  kind: Kind,
  account: Id,
  cells: readonly string[],
): Promise<Target | undefined> {
  try {
    return await APPLY[kind](services, account, cells)
  } catch (error) {
    if (isRefusal(error)) return undefined
    throw error
  }
}
