/** What an SVG may keep. Whatever is not named here goes: the lists are of what draws, and nothing in them can act. */

export const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';
export const XLINK_NAMESPACE = 'http://www.w3.org/1999/xlink';
export const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace';

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** What shows something by itself: where none of it is left, nothing is. */
export const DRAWING = words('path rect circle ellipse line polyline polygon text image use');

export const ELEMENTS = new Set([
  ...DRAWING,
  ...words(`
    svg g defs symbol switch tspan textPath title desc style linearGradient radialGradient stop pattern clipPath mask marker
    filter feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap
    feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology
    feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence
    animate animateTransform animateMotion mpath set`),
]);

/** These go, but what is in them stays. */
export const UNWRAPPED = words('a');

/** Attributes that say how something is drawn: in `attributeName` of an animation these alone may stand. */
const DRAWN = words(`
  alignment-baseline baseline-shift clip clip-path clip-rule color color-interpolation color-interpolation-filters
  color-rendering direction display dominant-baseline fill fill-opacity fill-rule filter flood-color flood-opacity
  font-family font-size font-size-adjust font-stretch font-style font-variant font-weight image-rendering letter-spacing
  lighting-color marker marker-end marker-mid marker-start mask mask-type mix-blend-mode opacity overflow paint-order
  pointer-events shape-rendering stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap
  stroke-linejoin stroke-miterlimit stroke-opacity stroke-width text-anchor text-decoration text-rendering
  transform-origin transform-box transform unicode-bidi vector-effect visibility word-spacing writing-mode isolation
  cx cy d dx dy fx fy fr height width offset pathLength points r rx ry rotate startOffset textLength x x1 x2 y y1 y2
  gradientTransform patternTransform viewBox
  amplitude azimuth baseFrequency bias diffuseConstant divisor elevation exponent intercept k1 k2 k3 k4 kernelMatrix
  kernelUnitLength limitingConeAngle numOctaves order pointsAtX pointsAtY pointsAtZ radius scale seed slope
  specularConstant specularExponent stdDeviation surfaceScale tableValues targetX targetY z`);

const ATTRIBUTES = new Set([
  ...DRAWN,
  ...words(`
    id class lang role tabindex version preserveAspectRatio clipPathUnits edgeMode filterUnits gradientUnits in in2
    lengthAdjust markerHeight markerUnits markerWidth maskContentUnits maskUnits method mode operator orient
    patternContentUnits patternUnits preserveAlpha primitiveUnits refX refY result side spacing spreadMethod
    stitchTiles systemLanguage requiredFeatures type values xChannelSelector yChannelSelector zoomAndPan
    aria-label aria-hidden aria-labelledby aria-describedby
    accumulate additive attributeName attributeType begin by calcMode dur end fill from keyPoints keySplines keyTimes max
    min origin path repeatCount repeatDur restart to`),
]);

/** Whether an attribute (no link, no style) may stay with this value. */
export function isSafeAttribute(name: string, value: string): boolean {
  if (!ATTRIBUTES.has(name)) return false;
  if (name === 'attributeName') return DRAWN.has(value.trim());
  if (name.startsWith('aria-')) return true;
  return isSafeValue(value);
}

const FUNCTIONS = words(`
  rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix matrix matrix3d translate translatex translatey translate3d
  translatez scale scalex scaley scale3d rotate rotatex rotatey rotate3d skew skewx skewy perspective calc min max clamp
  var blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia inset circle ellipse polygon
  path rect cubic-bezier steps linear`);

/**
 * Whether a value of CSS, or of an attribute that is read as CSS, refers to nothing outside: no escapes, which could hide
 * a name, no functions but known ones, and `url()` only of a fragment.
 */
export function isSafeValue(value: string): boolean {
  if (/[\\<>{}@]|\/\*/.test(value)) return false;
  if (!/^(?:[^'"]|'[^'"]*'|"[^'"]*")*$/.test(value)) return false;
  for (const [, name = '', rest = ''] of value.matchAll(/([\w-]*)\((?=([^()]{0,200}))/g)) {
    const known = name.toLowerCase();
    if (known === 'url' ? !/^\s*(['"]?)#[^'"()\s]+\1\s*$/.test(rest) : known !== '' && !FUNCTIONS.has(known))
      return false;
  }
  return true;
}

/** A reference to a part of the same document, or, of an `image`, a picture that stands in the attribute itself. */
export function isSafeLink(element: string, href: string): boolean {
  const link = href.trim();
  if (/^#[^\s'"<>]+$/.test(link)) return true;
  return element === 'image' && /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]+$/.test(link);
}
