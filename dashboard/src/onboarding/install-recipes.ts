import { t } from '../languages/translate.ts';

interface InstallRecipe {
  label: string;
  /** Where to put the code. */
  where: string;
  code: string;
}

/** How to install the script on common platforms. */
export function installRecipes(apiKey: string, scriptUrl: string): Record<string, InstallRecipe> {
  // Keeps what another copy of the snippet has set and queued.
  const settings = `window.headwater?.track||(window.headwater={apiKey:'${apiKey}',q:[],consent:m=>{headwater.mode=m},track:(...a)=>new Promise(r=>{headwater.q.push([r,...a]);setTimeout(()=>r({success:false,error:'pending'}),5e3)}),...window.headwater})`;
  const html = `<script>${settings}</script>\n<script async src="${scriptUrl}"></script>`;
  return {
    html: { label: 'HTML', where: t('Add it to the head of every page.'), code: html },
    gtm: {
      label: 'Google Tag Manager',
      where: t(
        'Create a tag of type Custom HTML with this code and the trigger Initialization - All Pages. Then choose Submit to publish the container.',
      ),
      code: html,
    },
    next: {
      label: 'Next.js',
      where: t('Add it to the body of app/layout.tsx. Changes of the route are recorded as visits.'),
      code: `import Script from 'next/script';

<Script id="headwater-settings" strategy="beforeInteractive">
  {\`${settings}\`}
</Script>
<Script src="${scriptUrl}" strategy="afterInteractive" />`,
    },
    wordpress: {
      label: 'WordPress',
      where: t(
        'Add it to functions.php of your child theme, or paste the HTML version into the header field of a plugin for code snippets.',
      ),
      code: `add_action('wp_head', function () { ?>
${html}
<?php });`,
    },
    shopify: {
      label: 'Shopify',
      where: t(
        "Open Online Store › Themes › Edit code › layout/theme.liquid and paste it before '<'/head>. Report orders by postback or from your server.",
      ),
      code: html,
    },
    webflow: {
      label: 'Webflow',
      where: t('Open Site settings › Custom code, paste it into Head code, save, and publish the site.'),
      code: html,
    },
  };
}

/** Tracks the submission of a form. */
export const EVENT_RECIPE = `<form id="signup">
  <input name="email" type="email" required>
  <button>Sign up</button>
</form>
<script>
  document.querySelector('#signup').addEventListener('submit', (event) => {
    headwater.track('signup', { email: event.target.elements.email.value });
  });
</script>`;
