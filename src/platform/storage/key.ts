import { randomBytes } from 'node:crypto'

/** The media types of stored files, by the extension of the key. */
export const TYPES = {
  jpg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  mp4: 'video/mp4',
  webm: 'video/webm',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  csv: 'text/csv',
  zip: 'application/zip',
  gz: 'application/gzip',
  bin: 'application/octet-stream',
} as const

export type Extension = keyof typeof TYPES

/**
 * kind/ab/cd/0123….ext: the first two pairs of digits are folders, so that none gets too long to
 * list.
 */
const KEY = /^[a-z][a-z_]{0,31}\/[0-9a-f]{2}\/[0-9a-f]{2}\/[0-9a-f]{28}(_[a-z]{1,16})?\.([a-z0-9]{2,4})$/

const isExtension = (text: string | undefined): text is Extension => text !== undefined && Object.hasOwn(TYPES, text)

/**
 * Generates an unguessable key (128 random bits), unless a name is given. `kind` is a word such as
 * `avatars`.
 */
export function makeKey(kind: string, extension: Extension, name = randomBytes(16).toString('hex')): string {
  const key = `${kind}/${name.slice(0, 2)}/${name.slice(2, 4)}/${name.slice(4)}.${extension}`
  if (!KEY.test(key)) throw new Error(`"${kind}" is not a kind of file`)
  return key
}

/**
 * The key of another version of the same picture: `variantKey('avatars/…/x.gif', 'static', 'png')`
 * is `avatars/…/x_static.png`.
 */
export function variantKey(key: string, variant: string, extension: Extension): string {
  const variantKey = `${key.slice(0, key.lastIndexOf('.'))}_${variant}.${extension}`
  if (!KEY.test(variantKey)) throw new Error(`"${key}" has no version "${variant}"`)
  return variantKey
}

/** The media type of a key, or undefined if the text is not a valid key. */
export function typeOfKey(key: string): string | undefined {
  const extension = KEY.exec(key)?.[2]
  return isExtension(extension) ? TYPES[extension] : undefined
}

/** Uploaded files that wait for conversion. */
export const SOURCES = 'uploads'
/** Archives of users' data. */
export const ARCHIVES = 'archives'

/** Pictures of seeded data. Many attachments share one, so it is not removed with any of them. */
export const SAMPLES = 'samples'

/** Whether the file is removed together with its last use. */
export const isRemovable = (key: string): boolean => !key.startsWith(`${SAMPLES}/`)

/** Kinds of files that are not public, even to somebody who knows the key. */
const PRIVATE_KINDS = [SOURCES, ARCHIVES]

/** Whether a text from outside is the key of a public file. */
export const isPublicKey = (key: string): boolean =>
  typeOfKey(key) !== undefined && !PRIVATE_KINDS.some(kind => key.startsWith(`${kind}/`))

/** The extension for a media type, or undefined for types that are not stored. */
export function extensionOf(type: string): Extension | undefined {
  return Object.keys(TYPES)
    .filter(isExtension)
    .find(extension => TYPES[extension] === type)
}
