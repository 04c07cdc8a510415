import { operation, param } from '../../platform/http/index.ts'
import { toFilter } from './filter.ts'
import { addFilter, deleteFilter, editFilter } from './save.ts'
import { findFilter } from './show.ts'

/**
 * The parameters of a filter. All are optional here, because missing and invalid ones are reported
 * together.
 */
export const FILTER_PARAMS = {
  title: param.string({ optional: true, description: 'at most 256 characters' }),
  context: param.strings({
    optional: true,
    trim: true,
    description: 'where it applies: home, notifications, public, thread, account',
  }),
  filter_action: param.string({ optional: true, description: 'warn, hide or blur' }),
  expires_in: param.integer({
    optional: true,
    nullable: true,
    emptyIsNull: true,
    description: 'in seconds; empty: never',
  }),
  keywords_attributes: param.objects(
    {
      id: param.id({ optional: true, description: 'of an existing keyword' }),
      keyword: param.string({ optional: true, description: 'at most 512 characters' }),
      whole_word: param.boolean({ optional: true, description: 'default: true' }),
      _destroy: param.boolean({ default: false, description: 'removes the keyword' }),
    },
    { default: [], label: 'Keywords' },
  ),
} as const

export const createFilter = operation({
  method: 'POST',
  path: '/api/v2/filters',
  auth: 'user',
  scopes: ['write:filters'],
  summary: 'Create a filter with its keywords',
  params: FILTER_PARAMS,
  returns: 'Filter',
  handle: async (input, { viewer, database }) => toFilter(await addFilter(database, viewer.id, input)),
})

export const changeFilter = operation({
  method: ['PUT', 'PATCH'],
  path: '/api/v2/filters/:id',
  auth: 'user',
  scopes: ['write:filters'],
  summary: 'Change a filter and its keywords; omitted attributes keep their values',
  params: { id: param.id(), ...FILTER_PARAMS },
  returns: 'Filter',
  requireRecord: (id, { viewer, database }) => findFilter(database, viewer.id, id),
  handle: async ({ id, ...input }, { viewer, database }) => toFilter(await editFilter(database, viewer.id, id, input)),
})

export const removeFilter = operation({
  method: 'DELETE',
  path: '/api/v2/filters/:id',
  auth: 'user',
  scopes: ['write:filters'],
  summary: 'Delete a filter with its keywords and statuses',
  params: { id: param.id() },
  returns: '{}',
  async handle({ id }, { viewer, database }) {
    await deleteFilter(database, viewer.id, id)
    return {}
  },
})
