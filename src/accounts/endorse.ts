import { c, query } from '../platform/database/index.ts'
import { validationError } from '../core/errors.ts'
import { operation, param } from '../platform/http/index.ts'
import { countCodePoints } from '../core/text/index.ts'
import { changeOperation } from './change_operation.ts'
import { findAccount } from './find_account.ts'
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

const endorse = changeOperation(
  ['endorse', 'pin'],
  ['write:accounts'],
  "Feature an account on the caller's profile",
  async ({ database, viewer }, target) => {
    const row = await changePair(database, viewer.id, target, transaction =>
      transaction.one(endorseAccount, { viewer: viewer.id, target }),
    )
    if (!row?.followed) throw validationError('You must be already following the person you want to endorse')
  },
)

const unendorse = changeOperation(
  ['unendorse', 'unpin'],
  ['write:accounts'],
  'Stop featuring an account',
  ({ database, viewer }, target) => database.run(unendorseAccount, { viewer: viewer.id, target }),
)

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
