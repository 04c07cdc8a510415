import { c, query } from '../../platform/database/index.ts'
import { Json, operation } from '../../platform/http/index.ts'
import { eventCache, type EventCache } from '../../platform/cache/event_cache.ts'
import { perServer, type Services } from '../../platform/services.ts'

const findPicker = query(
  'media/custom_emojis/picker',
  {},
  {
    shortcode: c.text,
    image: c.json<{ key: string; static_key: string }>(),
    category: c.nullable(c.text),
    featured: c.boolean,
  },
)

const PICKER = 'picker'

async function renderPicker({ database, storage }: Services): Promise<Json> {
  const rows = await database.run(findPicker, {})
  const emojis = rows.map(({ shortcode, image, category, featured }) => ({
    shortcode,
    url: storage.url(image.key),
    static_url: storage.url(image.static_key),
    visible_in_picker: true,
    ...(category !== null && { category, featured }),
  }))
  return new Json(JSON.stringify(emojis))
}

/** The rendered list, cached until an emoji changes. */
const picker: (services: Services) => EventCache<Json> = perServer(services =>
  eventCache<Json>(services, {
    name: 'custom_emojis',
    load: async () => new Map([[PICKER, await renderPicker(services)]]),
    drops: { 'emojis.changed': 'all' },
  }),
)

const showCustomEmojis = operation({
  method: 'GET',
  path: '/api/v1/custom_emojis',
  auth: 'optional',
  scopes: [],
  cache: 'instanceWhileOpen',
  cacheTags: () => [],
  summary: 'List the custom emojis of this server',
  params: {},
  returns: '[CustomEmoji]',
  handle: async (_, context) => (await picker(context).one(PICKER)) ?? [],
})

export const operations = [showCustomEmojis]
