import { c, query } from '../../platform/database/index.ts'
import { operation } from '../../platform/http/operation.ts'
import { param } from '../../platform/http/param/index.ts'
import { findList, LIST_COLUMNS, toList } from './list.ts'

const allLists = query('timelines/lists/all', { viewer: c.id }, LIST_COLUMNS)

/** The caller's lists. */
export const listLists = operation({
  method: 'GET',
  path: '/api/v1/lists',
  auth: 'user',
  scopes: ['read:lists'],
  params: {},
  returns: '[List]',
  summary: "List the caller's lists",
  async handle(_, { viewer, database }) {
    return (await database.run(allLists, { viewer: viewer.id })).map(toList)
  },
})

/** One list of the caller. */
export const showList = operation({
  method: 'GET',
  path: '/api/v1/lists/:id',
  auth: 'user',
  scopes: ['read:lists'],
  params: { id: param.id() },
  returns: 'List',
  summary: 'Show a list',
  async handle({ id }, { viewer, database }) {
    return toList(await findList(database, viewer.id, id))
  },
})
