import { c, query, type Row } from '../platform/database/index.ts'
import { ApiError } from '../core/errors.ts'
import { operation } from '../platform/http/operation.ts'
import { param } from '../platform/http/param/index.ts'
import type { Id } from '../core/id.ts'
import { acceptedLanguages } from '../core/languages/index.ts'
import { canTranslate, translate, type Original, type Translation } from './translation/index.ts'
import { statusMissing, STATUS_ID } from './status_response.ts'

const findTranslatable = query(
  'statuses/translatable',
  { viewer: c.id, status: c.id },
  {
    visibility: c.visibility,
    language: c.nullable(c.text),
    content: c.text,
    spoiler_text: c.text,
    poll: c.nullable(c.json<{ id: Id; options: string[] }>()),
    media: c.nullable(c.json<{ id: Id; description: string }[]>()),
  },
)

type Translatable = Row<typeof findTranslatable.columns>

/**
 * The most wanted language of an Accept-Language header; a backend's tags may differ from those of
 * statuses.
 */
const firstTag = (header: string): string => acceptedLanguages(header).find(tag => /^[a-z][\w-]*$/i.test(tag)) ?? ''

const plain = (text: string): Original => ({ kind: 'plain', text })

/** Translates a whole status in one request, because a service may charge for each. */
export const translateStatus = operation({
  method: 'POST',
  path: '/api/v1/statuses/:id/translate',
  auth: 'user',
  scopes: ['read:statuses'],
  summary: 'Translate a public or unlisted status',
  params: {
    id: STATUS_ID,
    lang: param.string({ optional: true, description: "the language; else the caller's own" }),
  },
  returns: 'Translation',
  async handle({ id, lang }, context) {
    const { viewer, database, request, config } = context
    const found = canTranslate(context) && (await database.one(findTranslatable, { viewer: viewer.id, status: id }))
    if (!found) throw statusMissing()
    if (found.visibility !== 'public' && found.visibility !== 'unlisted') throw new ApiError('notAllowed')
    const target = lang || viewer.locale || firstTag(request.header('accept-language')) || config.defaultLocale
    const translation = await translate(context, originalsOf(found), found.language, target)
    return toTranslation(found, translation)
  },
})

/** In the order in which `toTranslation` reads them. */
const originalsOf = ({ content, spoiler_text: spoiler, poll, media }: Translatable): Original[] => [
  { kind: 'html', text: content },
  ...[spoiler, ...(poll?.options ?? []), ...(media ?? []).map(one => one.description)].map(plain),
]

/** The entity Translation. */
function toTranslation({ poll, media }: Translatable, { texts, source, target, provider }: Translation): object {
  const [content, spoiler, ...rest] = texts
  const options = rest.splice(0, poll?.options.length ?? 0)
  return {
    content,
    spoiler_text: spoiler,
    language: target,
    detected_source_language: source,
    provider,
    poll: poll && { id: poll.id, options: options.map(title => ({ title })) },
    media_attachments: (media ?? []).map(({ id }, index) => ({ id, description: rest[index] })),
  }
}
