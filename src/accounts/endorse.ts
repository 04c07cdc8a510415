import { c, query } from '../platform/database/index.ts'
import { validationError } from '../core/errors.ts'
import { operation, param } from '../platform/http/index.ts'
import { countCodePoints } from '../core/text/index.ts'
import { findAccount } from './known.ts'
import { changePair, renderRelationship } from './relationship.ts'

const endorseAccount = query(
  'accounts/endorse',
  { viewer: c.id, target: c.id },
  { followed: c.boolean, events: c.events },
)
const unendorseAccount = query('accounts/unendorse', { viewer: c.id, target: c.id }, { events: c.events })
const saveNote = query('accounts/note', { viewer: c.id, target: c.id, comment: c.text }, { events: c.events })

/** The maximum length of a private note, in characters. */
const MAX_NOTE_LENGTH = 2000

const endorse = operation({
  method: 'POST',
  path: ['/api/v1/accounts/:id/endorse', '/api/v1/accounts/:id/pin'],
  auth: 'user',
  scopes: ['write:accounts'],
  params: { id: param.id() },
  returns: 'Relationship',
  summary: 'Feature an account on the own profile',
  async handle({ id }, context) {
    const { viewer, database } = context
    await findAccount(context, viewer, id)
    const row = await changePair(database, viewer.id, id, transaction =>
      transaction.one(endorseAccount, { viewer: viewer.id, target: id }),
    )
    if (!row?.followed) throw validationError('You must be already following the person you want to endorse')
    return renderRelationship(context, viewer, id)
  },
})

const unendorse = operation({
  method: 'POST',
  path: ['/api/v1/accounts/:id/unendorse', '/api/v1/accounts/:id/unpin'],
  auth: 'user',
  scopes: ['write:accounts'],
  params: { id: param.id() },
  returns: 'Relationship',
  summary: 'Stop featuring an account',
  async handle({ id }, context) {
    await findAccount(context, context.viewer, id)
    await context.database.run(unendorseAccount, { viewer: context.viewer.id, target: id })
    return renderRelationship(context, context.viewer, id)
  },
})

const setNote = operation({
  method: 'POST',
  path: '/api/v1/accounts/:id/note',
  auth: 'user',
  scopes: ['write:accounts'],
  params: {
    id: param.id(),
    comment: param.string({ default: '', description: `at most ${MAX_NOTE_LENGTH} characters` }),
  },
  returns: 'Relationship',
  summary: 'Set a private note about an account',
  async handle({ id, comment }, context) {
    await findAccount(context, context.viewer, id)
    if (countCodePoints(comment) > MAX_NOTE_LENGTH) {
      throw validationError(`Comment is too long (maximum is ${MAX_NOTE_LENGTH} characters)`)
    }
    const text = comment.trim() === '' ? '' : comment
    await context.database.run(saveNote, { viewer: context.viewer.id, target: id, comment: text })
    return renderRelationship(context, context.viewer, id)
  },
})

export const operations = [endorse, unendorse, setNote]
