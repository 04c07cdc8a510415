import { lockAccount } from '../../accounts/index.ts'
import type { Id } from '../../core/id.ts'
import { c, query, type Row, type Runner } from '../../platform/database/index.ts'
import { ApiError, validationError } from '../../core/errors.ts'
import { operation } from '../../platform/http/operation.ts'
import { param } from '../../platform/http/param/index.ts'
import { findList, LIST_COLUMNS, MEANING, REPLIES_POLICIES, TITLE, toList } from './list.ts'

const createQuery = query(
  'timelines/lists/create',
  { viewer: c.id, title: c.text, replies_policy: c.text, exclusive: c.boolean, limit: c.integer },
  { ...LIST_COLUMNS, events: c.events },
)
const changeQuery = query(
  'timelines/lists/change',
  {
    viewer: c.id,
    list: c.id,
    title: c.nullable(c.text),
    replies_policy: c.nullable(c.text),
    exclusive: c.nullable(c.boolean),
  },
  { ...LIST_COLUMNS, events: c.events },
)
const removeQuery = query('timelines/lists/remove', { viewer: c.id, list: c.id }, { id: c.id, events: c.events })

const MAX_LISTS = 50

interface NewList {
  readonly title: string
  readonly replies_policy: string
  readonly exclusive: boolean
}

/** Adds a list, in a transaction. @throws ApiError validation for too many lists */
export async function addList(transaction: Runner, viewer: Id, input: NewList): Promise<Row<typeof LIST_COLUMNS>> {
  await lockAccount(transaction, viewer)
  const list = await transaction.one(createQuery, { viewer, limit: MAX_LISTS, ...input })
  if (!list) throw validationError('You have reached the maximum number of lists')
  return list
}

/** Create a list. */
export const createList = operation({
  method: 'POST',
  path: '/api/v1/lists',
  auth: 'user',
  scopes: ['write:lists'],
  params: {
    title: param.string(TITLE),
    replies_policy: param.enumeration(REPLIES_POLICIES, { default: 'list', description: MEANING.repliesPolicy }),
    exclusive: param.boolean({ default: false, description: MEANING.exclusive }),
  },
  returns: 'List',
  summary: 'Create a list',
  async handle(input, { viewer, database }) {
    return toList(await database.transaction(transaction => addList(transaction, viewer.id, input)))
  },
})

/** Change a list. Omitted attributes keep their values. */
export const changeList = operation({
  method: ['PUT', 'PATCH'],
  path: '/api/v1/lists/:id',
  auth: 'user',
  scopes: ['write:lists'],
  params: {
    id: param.id(),
    title: param.string({ ...TITLE, optional: true }),
    replies_policy: param.enumeration(REPLIES_POLICIES, { optional: true, description: MEANING.repliesPolicy }),
    exclusive: param.boolean({ optional: true, description: MEANING.exclusive }),
  },
  returns: 'List',
  summary: 'Change a list',
  requireRecord: (id, { viewer, database }) => findList(database, viewer.id, id),
  async handle({ id, ...input }, { viewer, database }) {
    const changed = await database.one(changeQuery, {
      viewer: viewer.id,
      list: id,
      title: input.title ?? null,
      replies_policy: input.replies_policy ?? null,
      exclusive: input.exclusive ?? null,
    })
    if (!changed) throw new ApiError('notFound')
    return toList(changed)
  },
})

/** Delete a list. */
export const removeList = operation({
  method: 'DELETE',
  path: '/api/v1/lists/:id',
  auth: 'user',
  scopes: ['write:lists'],
  params: { id: param.id() },
  returns: '{}',
  summary: 'Delete a list',
  async handle({ id }, { viewer, database }) {
    if (!(await database.one(removeQuery, { viewer: viewer.id, list: id }))) throw new ApiError('notFound')
    return {}
  },
})
