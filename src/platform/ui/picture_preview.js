// Shows a picture that is chosen for upload, before it is sent.
for (const field of document.querySelectorAll('input[type="file"][data-preview]')) {
  const picture = document.createElement('img')
  picture.className = 'picture-preview'
  picture.alt = field.dataset.preview
  picture.hidden = true
  // A file that is no picture has no preview; the server says so.
  picture.addEventListener('error', () => (picture.hidden = true))
  picture.addEventListener('load', () => (picture.hidden = false))
  field.after(picture)

  const show = () => {
    if (picture.src.startsWith('blob:')) URL.revokeObjectURL(picture.src)
    picture.hidden = true
    const [file] = field.files
    if (file) picture.src = URL.createObjectURL(file)
    else picture.removeAttribute('src')
  }
  field.addEventListener('change', show)
  // A browser that goes back restores the choice.
  show()
}
