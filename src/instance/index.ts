export { LIMITS } from './limits.ts'
export {
  removeSitePicture,
  SITE_PICTURES,
  sitePictures,
  storeSitePicture,
  type SitePictureName,
} from './site_pictures.ts'
