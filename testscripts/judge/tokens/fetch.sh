#!/usr/bin/env bash
# Fills the folder $1 with the sources that the weights were fitted on and that
# a machine rarely has: Debian packages below deb/, npm packages below npm/,
# unpacked, not installed. Then: run.sh -extra FOLDER -fit, and the same with
# -write. Newer packages give slightly other weights.
set -eu
to=$(mkdir -p "$1" && cd "$1" && pwd)
deb="manpages-ja manpages-zh manpages-ru manpages-de manpages-fr manpages-es debian-reference-ja debian-reference-zh-cn
debian-reference-en debian-handbook installation-guide-amd64 gimp-help-zh-cn gimp-help-ko libreoffice-help-ko libreoffice-help-ja
libreoffice-help-zh-cn perl-doc librust-serde-dev librust-tokio-dev librust-syn-dev librust-regex-dev librust-hyper-dev
librust-rand-dev librust-clap-dev libruby3.1 ruby-rack ruby-sinatra ruby-actionpack ruby-activerecord rake php-symfony-console
php-twig php-monolog php-symfony-http-kernel php-guzzlehttp-guzzle phpmyadmin libboost1.74-dev nlohmann-json3-dev libeigen3-dev
libfmt-dev libspdlog-dev linux-headers-6.1.0-53-common"
npm="react-native expo-modules-core react-native-windows@0.57 react-native-windows@0.75 zod rxjs effect lodash express @angular/core
hono emojibase-data cldr-annotations-full@45 vite svelte mermaid unicode-emoji-json preact typescript@5 vue"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
for p in $deb; do
	apt-get download -q "$p" || { echo "skipped: $p" >&2; continue; }
	mkdir -p "$to/deb/$p"
	dpkg-deb -x "$p"_*.deb "$to/deb/$p"
done
for p in $npm; do
	f=$(npm pack --silent "$p") || { echo "skipped: $p" >&2; continue; }
	name=${p#@}
	case $p in
	react-native-windows@*) ;; # two releases, side by side
	*) name=${name%@*} ;;
	esac
	mkdir -p "$to/npm/${name//\//_}"
	tar xzf "$f" -C "$to/npm/${name//\//_}"
done
