import { instanceIcons } from '../../instance/index.ts'
import { json, operation } from '../../platform/http/index.ts'
import { PUBLIC_PAGE } from './declaration.ts'

/** Texts that other applications share lead to the form for a post. */
const SHARE_TARGET = {
  action: 'share',
  method: 'GET',
  enctype: 'application/x-www-form-urlencoded',
  params: { title: 'title', text: 'text', url: 'url' },
} as const

/** Pages of a web client only. */
const SHORTCUTS = [
  { name: 'Home', url: '/home' },
  { name: 'Notifications', url: '/notifications' },
  { name: 'Explore', url: '/explore' },
] as const

/** The web app manifest (W3C Web Application Manifest), for browsers that install the site. */
export const manifest = operation({
  ...PUBLIC_PAGE,
  path: ['/manifest', '/manifest.json'],
  summary: 'Show the web app manifest',
  params: {},
  returns: 'Manifest',
  async handle(_, context) {
    const { settings, config } = context
    const icons = await instanceIcons(context)
    const document = {
      id: '/home',
      name: settings.get('site_title'),
      short_name: settings.get('site_title'),
      description: settings.get('site_short_description'),
      icons: icons.map(({ src, size }) => ({ src, sizes: size, type: 'image/png', purpose: 'any maskable' })),
      start_url: '/',
      scope: '/',
      display: 'standalone',
      share_target: SHARE_TARGET,
      ...(config.webClient !== undefined && { shortcuts: SHORTCUTS }),
    }
    return json(document, 200, { 'Cache-Control': 'public, max-age=180' })
  },
})
