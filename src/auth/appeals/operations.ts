import { signedInForm, signedInPage } from '../account_settings/index.ts'
import { ApiError } from '../../core/errors.ts'
import { param, redirect, type Context } from '../../platform/http/index.ts'
import type { Id } from '../../core/id.ts'
import type { Viewer } from '../../core/viewer.ts'
import { countCodePoints } from '../../core/text/index.ts'
import type { Translator } from '../../platform/i18n/index.ts'
import { MAX_CHARACTERS, PATH, strikePage, strikesPage } from './page.ts'
import { storeAppealOf, strikeOf, type Strike } from './strike.ts'

const page = { auth: 'public', scopes: [], page: true } as const

/** Available in any account state: suspended and disabled users need it most. */
const showStrikes = signedInPage({
  ...page,
  path: PATH,
  summary: 'List the moderation decisions about the account',
  params: {},
  show: (_, context, webSession, viewer) => strikesPage(context, webSession, viewer),
})

const showStrike = signedInPage({
  ...page,
  path: `${PATH}/:id`,
  summary: 'Show a strike with its appeal or the form for one',
  params: { id: param.id() },
  show: async ({ id }, context, webSession, viewer) =>
    strikePage(context, webSession, viewer, await ownStrike(context, viewer, id)),
})

const appeal = signedInForm({
  ...page,
  method: 'POST',
  path: `${PATH}/:id/appeal`,
  summary: 'Appeal against a strike',
  params: {
    id: param.id(),
    appeal: param.object({ text: param.string({ default: '' }) }, { missing: 400 }),
  },
  async act({ id, appeal: { text: written } }, context, webSession, viewer) {
    const strike = await ownStrike(context, viewer, id)
    const text = written.trim()
    const wrong = errorIn(text, webSession.translator)
    if (wrong !== undefined) return strikePage(context, webSession, viewer, strike, { text, errors: [wrong] })
    if (!(await storeAppealOf(context.database, viewer, strike, text))) {
      const alert = webSession.translator.t(strike.fresh ? 'strikes.appeal.taken' : 'strikes.appeal.too_late')
      return strikePage(context, webSession, viewer, await ownStrike(context, viewer, id), { alert })
    }
    webSession.flash(webSession.translator.t('strikes.appeal.sent'))
    return webSession.respond(redirect(`${PATH}/${id}`))
  },
})

/** @throws ApiError notFound for another account's strike */
async function ownStrike({ database }: Context, viewer: Viewer, id: Id): Promise<Strike> {
  const found = await strikeOf(database, viewer.id, id)
  if (!found) throw new ApiError('notFound')
  return found
}

function errorIn(text: string, { t }: Translator): string | undefined {
  if (text === '') return t('form_error.ERR_BLANK')
  return countCodePoints(text) > MAX_CHARACTERS ? t('form_error.ERR_TOO_LONG', { count: MAX_CHARACTERS }) : undefined
}

export const operations = [showStrikes, showStrike, appeal]
