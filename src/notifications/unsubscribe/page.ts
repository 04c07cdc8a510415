import { openWebSession, type WebSession } from '../../auth/sessions/index.ts'
import { ApiError } from '../../core/errors.ts'
import { c, query } from '../../platform/database/index.ts'
import { operation, param, type Context, type Response } from '../../platform/http/index.ts'
import { form, hidden, html, pageResponse, phrase, submit, type Content } from '../../platform/ui/index.ts'
import { isMailType } from '../email/index.ts'
import { ownerIn, UNSUBSCRIBE_PATH, type LinkOwner, type UnsubscribeType } from './links.ts'

const findSubscription = query(
  'notifications/unsubscribe/subscription',
  { subscription: c.id },
  { email: c.text, username: c.text },
)
const removeSubscription = query('notifications/unsubscribe/remove_subscription', { subscription: c.id }, { id: c.id })
const findUser = query('notifications/unsubscribe/user', { user: c.id, type: c.text }, { email: c.text })
const removeType = query('notifications/unsubscribe/remove_type', { user: c.id, type: c.text }, {})

interface Link extends LinkOwner {
  readonly type: UnsubscribeType
}

/** @throws ApiError routeNotFound unless this server signed the token for the type */
function readLink(context: Context, type: string, token: string): Link {
  if (type !== 'posts' && !isMailType(type)) throw new ApiError('routeNotFound')
  const found = ownerIn(context, type, token)
  if (!found) throw new ApiError('routeNotFound')
  return { type, ...found }
}

/** The question to the reader; undefined if such e-mails are no longer sent. */
async function questionOf({ database, config }: Context, webSession: WebSession, link: Link): Promise<Content> {
  const { t } = webSession.translator
  if (link.type === 'posts') {
    const found = await database.one(findSubscription, { subscription: link.owner })
    const acct = `@${found?.username}@${config.localDomain}`
    const values = { account: html`<bdi>${acct}</bdi>`, email: html`<strong>${found?.email}</strong>` }
    return found && phrase(t('unsubscribe.posts'), values)
  }
  const found = await database.one(findUser, { user: link.owner, type: link.type })
  if (!found || !link.wentTo(found.email)) return undefined
  // Without the address: old e-mails, and links of before they named one, may be read by others.
  return phrase(t('unsubscribe.notifications'), { kind: t(`notification_mail.${link.type}`) })
}

async function act({ database }: Context, { type, owner, wentTo }: Link): Promise<void> {
  if (type === 'posts') return void (await database.run(removeSubscription, { subscription: owner }))
  const found = await database.one(findUser, { user: owner, type })
  if (found && wentTo(found.email)) await database.run(removeType, { user: owner, type })
}

function page(context: Context, webSession: WebSession, content: Content): Response {
  const title = webSession.translator.t('unsubscribe.title')
  return pageResponse(context, webSession, { title, body: [html`<h1>${title}</h1>`, content] })
}

const done = (context: Context, webSession: WebSession): Response =>
  page(context, webSession, html`<p role="status">${webSession.translator.t('unsubscribe.done')}</p>`)

const params = {
  token: param.string({ default: '' }),
  type: param.string({ default: '' }),
}

const askToUnsubscribe = operation({
  method: 'GET',
  path: UNSUBSCRIBE_PATH,
  summary: 'Ask whether e-mails of a kind are to end',
  auth: 'public',
  scopes: [],
  page: true,
  params,
  returns: 'text/html',
  async handle({ token, type }, context) {
    const webSession = await openWebSession(context)
    const question = await questionOf(context, webSession, readLink(context, type, token))
    if (!question) return done(context, webSession)
    const action = `${UNSUBSCRIBE_PATH}?${new URLSearchParams({ token, type }).toString()}`
    return page(context, webSession, [
      html`<p>${question}</p>`,
      form({ action, csrfToken: webSession.csrfToken() }, [
        hidden('token', token),
        hidden('type', type),
        submit(webSession.translator.t('unsubscribe.submit')),
      ]),
    ])
  },
})

/**
 * Programs that read e-mail send this by one click (RFC 8058), without a cookie: the signed token
 * is the proof.
 */
const unsubscribe = operation({
  method: 'POST',
  path: UNSUBSCRIBE_PATH,
  summary: 'End e-mails of a kind',
  auth: 'public',
  scopes: [],
  page: true,
  params,
  returns: 'text/html',
  async handle({ token, type }, context) {
    const webSession = await openWebSession(context)
    await act(context, readLink(context, type, token))
    return done(context, webSession)
  },
})

export const operations = [askToUnsubscribe, unsubscribe]
