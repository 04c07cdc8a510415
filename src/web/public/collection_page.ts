import { readCollection } from '../../accounts/collections/index.ts'
import { ApiError } from '../../core/errors.ts'
import { operation, param, redirect, type Response, type Context } from '../../platform/http/index.ts'
import { parseId, type Id } from '../../core/id.ts'
import { html, phrase, type Html, type Page } from '../../platform/ui/index.ts'
import { htmlToText } from '../../core/text/index.ts'
import { PUBLIC_PAGE } from './declaration.ts'
import { parseCollection, type ShownAccount } from './entities.ts'
import { notForSearch } from './open_graph.ts'
import { nameOf } from './status_html.ts'
import { STYLE } from './style.ts'
import { showPublicly, type Visitor } from './public_page.ts'

/** The page of a collection. */
export const showCollectionPage = operation({
  ...PUBLIC_PAGE,
  path: '/collections/:id',
  summary: 'Show the page of a collection',
  params: { id: param.string() },
  handle({ id: idText }, context) {
    const id = parseId(idText)
    if (id === undefined) throw new ApiError('routeNotFound')
    return showPublicly(context, 'profile', visitor => collectionPage(context, visitor, id))
  },
})

async function collectionPage(context: Context, visitor: Visitor, id: Id): Promise<Page | Response> {
  const { accounts, collection } = parseCollection(await readCollection(context, visitor.viewer, id))
  if (!collection.local) return redirect(`/redirect/collections/${id}`)
  const { t } = visitor.translator
  const byId = new Map(accounts.map(account => [account.id, account]))
  const curator = byId.get(collection.account_id)
  const members = collection.items.flatMap(({ account_id: member = '' }) => byId.get(member) ?? [])
  return {
    title: collection.name,
    head: html`${STYLE} ${[curator, ...members].some(person => person?.noindex) && notForSearch}
      <link rel="canonical" href="${collection.url}" />
      <meta property="og:title" content="${collection.name}" />
      <meta property="og:description" content="${collection.description}" />`,
    column: true,
    fileOrigins: members.map(({ avatar_static: avatar }) => new URL(avatar).origin),
    body: html`<section class="card">
        <h1 dir="auto">${collection.name}</h1>
        ${curator && html`<p>${phrase(t('collection.by'), { account: html`<a href="${curator.url}">${nameOf(curator)}</a>` })}</p>`}
        <p dir="auto">${collection.description}</p>
        ${collection.tag && html`<p><a href="${collection.tag.url}">#${collection.tag.name}</a></p>`}
        <p class="quiet">${t('collection.count', { count: members.length })}</p>
      </section>
      <ul class="people">
        ${members.map(memberHtml)}
      </ul>`,
  }
}

const memberHtml = (account: ShownAccount): Html =>
  html`<li class="card status">
    <a class="author" href="${account.url}">
      <img src="${account.avatar_static}" alt="" width="48" height="48" />
      <span>${nameOf(account)}<span class="quiet">@${account.acct}</span></span>
    </a>
    <p dir="auto">${htmlToText(account.note)}</p>
  </li>`
