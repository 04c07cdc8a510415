import { Response, operation, param, redirect } from '../platform/http/index.ts'
import { ApiError } from '../core/errors.ts'
import { loadSharp } from '../platform/storage/index.ts'
import { NO_PREVIEW_PATH } from '../media/attachments/index.ts'
import { ICON_SIDES, sitePictures } from './site_pictures.ts'

/**
 * The server's built-in pictures, drawn at the first request: the sources contain no binary files.
 */

const WATER = '#1d6f8a'
const LIGHT = '#d9eef4'

/** A mill wheel over water. */
const wheel = (centre: number, radius: number): string => {
  const spokes = Array.from({ length: 8 }, (_, index) => {
    const angle = (index * Math.PI) / 4
    const x = centre + radius * Math.cos(angle)
    const y = centre + radius * Math.sin(angle)
    return `<line x1="${centre}" y1="${centre}" x2="${x}" y2="${y}"/>`
  }).join('')
  return `<g stroke="${LIGHT}" stroke-width="${radius / 8}" fill="none"><circle cx="${centre}" cy="${centre}" r="${radius}"/>${spokes}</g>`
}

const logo = (size: number): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 100 100"><rect width="100" height="100" rx="18" fill="${WATER}"/>${wheel(50, 30)}</svg>`

const avatar =
  '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"><rect width="400" height="400" fill="#8aa4ad"/><circle cx="200" cy="150" r="70" fill="#e8eff1"/><path d="M60 400c0-90 60-150 140-150s140 60 140 150z" fill="#e8eff1"/></svg>'

const header = `<svg xmlns="http://www.w3.org/2000/svg" width="1500" height="500"><rect width="1500" height="500" fill="${WATER}"/><path d="M0 380c250-60 500 60 750 0s500-60 750 0v120H0z" fill="#175a70"/></svg>`

const preview = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630"><rect width="1200" height="630" fill="${WATER}"/><g transform="translate(400 115) scale(4)">${wheel(50, 40)}</g></svg>`

const play = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="360"><rect width="640" height="360" fill="#33434a"/><path d="M270 110v140l120-70z" fill="${LIGHT}"/></svg>`

export const PREVIEW_PATH = '/pictures/preview.png'
export const iconPath = (size: number): string => `/pictures/icon-${size}.png`

const drawn = new Map<string, Promise<Buffer>>()

function draw(name: string, svg: string): Promise<Buffer> {
  const known = drawn.get(name)
  if (known) return known
  const picture = loadSharp().then(sharp => sharp(Buffer.from(svg)).png({ compressionLevel: 9 }).toBuffer())
  drawn.set(name, picture)
  return picture
}

const HEADERS = { 'Cache-Control': 'public, max-age=604800, immutable' }

const picture = (path: string, name: string, svg: string, summary: string) =>
  operation({
    method: 'GET',
    path,
    auth: 'public',
    scopes: [],
    params: {},
    returns: 'image/png',
    summary,
    cache: 'handler',
    handle: async () => new Response(200, 'image/png', await draw(name, svg), HEADERS),
  })

/** Cached for minutes only, because the administrator can replace it. */
const favicon = operation({
  method: 'GET',
  path: '/favicon.ico',
  auth: 'public',
  scopes: [],
  params: {},
  returns: 'image/png',
  summary: 'Show the icon that browsers request',
  cache: 'handler',
  async handle(_, services) {
    const own = (await sitePictures(services)())['favicon']?.urls['48']
    const headers = { 'Cache-Control': 'public, max-age=300' }
    return own === undefined
      ? new Response(200, 'image/png', await draw('favicon', logo(48)), headers)
      : redirect(own, 302, headers)
  },
})

const ownPicture = operation({
  method: 'GET',
  path: '/pictures/:name',
  auth: 'public',
  scopes: [],
  params: { name: param.string() },
  returns: 'image/png',
  summary: 'Show the preview picture, or the icon in one of its sizes',
  cache: 'handler',
  async handle({ name }) {
    const size = ICON_SIDES.find(known => name === `icon-${known}.png`)
    if (size === undefined && name !== 'preview.png') throw new ApiError('routeNotFound')
    return new Response(200, 'image/png', await draw(name, size === undefined ? preview : logo(size)), HEADERS)
  },
})

export const pictures = [
  picture('/avatars/original/missing.png', 'avatar', avatar, 'The avatar of accounts that have none'),
  picture('/headers/original/missing.png', 'header', header, 'The header of accounts that have none'),
  picture(NO_PREVIEW_PATH, 'play', play, 'The preview of videos that have none'),
  favicon,
  ownPicture,
]
