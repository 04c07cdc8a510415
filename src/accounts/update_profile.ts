import { c, query } from '../platform/database/index.ts'
import type { Viewer } from '../core/viewer.ts'
import { enqueue } from '../platform/jobs/index.ts'
import type { Services } from '../platform/services.ts'
import { storing } from '../platform/storage/files.ts'
import { formatField, formatNote, verifiableUrl } from '../core/text/index.ts'
import { readCredentials } from './credentials.ts'
import { acceptRequests } from './follow_requests.ts'
import { profileContext } from './format.ts'
import { keysOf, removePictures, storeOwnPicture } from './picture.ts'
import type { StoredField, StoredImage } from './profile.ts'
import { verifyFields } from './verify_fields.ts'
import { checkProfile, type ProfileChange, type ProfileTexts } from './profile_change.ts'

const changeProfile = query(
  'accounts/update_profile',
  {
    account: c.id,
    display_name: c.nullable(c.text),
    note: c.nullable(c.text),
    note_html: c.nullable(c.text),
    fields: c.nullable(c.json<StoredField[]>()),
    sets_avatar: c.boolean,
    avatar: c.nullable(c.json<StoredImage>()),
    avatar_description: c.nullable(c.text),
    sets_header: c.boolean,
    header: c.nullable(c.json<StoredImage>()),
    header_description: c.nullable(c.text),
    locked: c.nullable(c.boolean),
    actor_type: c.nullable(c.text),
    discoverable: c.nullable(c.boolean),
    hide_collections: c.nullable(c.boolean),
    indexable: c.nullable(c.boolean),
    show_media: c.nullable(c.boolean),
    show_media_replies: c.nullable(c.boolean),
    show_featured: c.nullable(c.boolean),
    attribution_domains: c.nullable(c.texts),
    preferences: c.json<Record<string, unknown>>(),
  },
  {
    unlocked: c.boolean,
    old_avatar: c.nullable(c.json<StoredImage>()),
    old_header: c.nullable(c.json<StoredImage>()),
    events: c.events,
  },
)

/** The texts with their HTML. A field whose value is unchanged stays verified. */
async function formatTexts(
  services: Services,
  viewer: Viewer,
  { note, fields }: ProfileTexts,
): Promise<{ note_html: string | null; fields: StoredField[] | null }> {
  const context = await profileContext(services, [note ?? '', ...(fields ?? []).map(({ value }) => value)])
  const note_html = note === null ? null : formatNote(note, context)
  if (!fields) return { note_html, fields: null }
  const before = (await readCredentials(services, viewer)).fields
  const verifiedAt = (value: string): string | null => before.find(field => field.value === value)?.verified_at ?? null
  return {
    note_html,
    fields: fields.map(({ name, value }) => ({
      name,
      value,
      value_html: formatField(value, context),
      verified_at: verifiedAt(value),
    })),
  }
}

const needsVerifying = ({ value, verified_at }: StoredField): boolean =>
  verified_at === null && verifiableUrl(value) !== null

/** Removing a picture removes its description. */
const describe = (picture: unknown, description: string | null): string | null => (picture === null ? '' : description)

/**
 * Changes the viewer's profile and, with `preferences`, the defaults for posting. Nothing is
 * changed if anything is invalid.
 * @throws ApiError validation with `details`; tooManyRequests for many pictures at once
 */
export async function updateProfile(
  services: Services,
  viewer: Viewer,
  change: ProfileChange,
  preferences: Record<string, unknown> = {},
): Promise<void> {
  const texts = checkProfile(change)
  const { note_html, fields } = await formatTexts(services, viewer, texts)
  // A header may be refused when the avatar is stored already.
  await storing(services.storage, async stored => {
    const avatar = change.avatar && (await storeOwnPicture(services, viewer.id, 'avatar', change.avatar, stored))
    const header = change.header && (await storeOwnPicture(services, viewer.id, 'header', change.header, stored))
    const orNull = (value: boolean | undefined): boolean | null => value ?? null
    await services.database.transaction(async transaction => {
      const row = await transaction.one(changeProfile, {
        account: viewer.id,
        display_name: texts.displayName,
        note: texts.note,
        note_html,
        fields,
        sets_avatar: avatar !== undefined,
        avatar: avatar ?? null,
        avatar_description: describe(avatar, texts.avatarDescription),
        sets_header: header !== undefined,
        header: header ?? null,
        header_description: describe(header, texts.headerDescription),
        locked: orNull(change.locked),
        actor_type: change.bot === undefined ? null : change.bot ? 'Service' : 'Person',
        discoverable: orNull(change.discoverable),
        hide_collections: orNull(change.hide_collections),
        indexable: orNull(change.indexable),
        show_media: orNull(change.show_media),
        show_media_replies: orNull(change.show_media_replies),
        show_featured: orNull(change.show_featured),
        attribution_domains: texts.domains,
        preferences,
      })
      if (fields?.some(needsVerifying)) await enqueue(transaction, verifyFields, { account: viewer.id })
      if (row?.unlocked) await enqueue(transaction, acceptRequests, { account: viewer.id })
      const unused = [
        ...(avatar === undefined ? [] : keysOf(row?.old_avatar)),
        ...(header === undefined ? [] : keysOf(row?.old_header)),
      ]
      if (unused.length > 0) await enqueue(transaction, removePictures, { keys: unused })
    })
  })
}
